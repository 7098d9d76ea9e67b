//! The controller of {{ kind }} objects.

{% for path in foreign %}use {{ path }};
{% endfor %}use kgen_runtime::Lister;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
{%- if own %}
{% for path in own %}
use {{ path }};
{%- endfor %}
{%- endif %}

/// The name of the controller in metrics and logs.
const CONTROLLER: &str = "{{ controller_name }}";

/// Adds the controller to `manager`.
{%- for line in markers %}
// {{ line }}
{%- endfor %}
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<{{ kind }}>();
{%- if watched %}
    // The role of the Go operator allows it to watch these kinds. It does not say which controller
    // watches them: remove those whose objects this one does not own.
{%- for watch in watched %}
    let {{ watch.variable }} = all.informer::<{{ watch.name }}>();
{%- endfor %}
{%- endif %}
    let worker = Worker {
        objects: informer.lister(),
    };
{%- if watched %}
    let controller = Controller::new(manager, CONTROLLER, worker)
        .watch(&informer)
{%- for watch in watched %}
        .watch_owned::<{{ kind }}, _>(&{{ watch.variable }}){% if loop.last %};{% endif %}
{%- endfor %}
{%- else %}
    let controller = Controller::new(manager, CONTROLLER, worker).watch(&informer);
{%- endif %}
    manager.add(controller);
}

/// Reads objects from the cache and reconciles them.
struct Worker {
    objects: Lister<{{ kind }}>,
}

impl Reconciler for Worker {
    type Error = kgen_runtime::Error;

    /// Reconciles one object. This is a stub: move the logic of the Go controller here.
    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let found = match self.objects.get(key.namespace.as_deref(), &key.name) {
            Ok(found) => found,
            // The object was deleted. Kubernetes deletes the objects that it owned.
            Err(error) if error.is_not_found() => return Ok(Next::AwaitChange),
            Err(error) => return Err(error),
        };
        let generation = found.metadata.generation;
        tracing::info!(object = %key, generation, "nothing is implemented yet");
        Ok(Next::AwaitChange)
    }
}
