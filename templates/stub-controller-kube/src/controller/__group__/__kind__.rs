//! The controller of {{ kind }} objects.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
{% for path in foreign %}use {{ path }};
{% endfor %}use kgen_runtime::manager::Manager;
use kgen_runtime::{Result, controller};
use kube::ResourceExt;
use kube::runtime::Controller;
use kube::runtime::controller::{self as runner, Action};
{%- if own %}
{% for path in own %}
use {{ path }};
{%- endfor %}
{%- endif %}

/// The name of the controller in logs.
const CONTROLLER: &str = "{{ controller_name }}";

/// The time to wait before a retry after an error.
const RETRY: Duration = Duration::from_secs(5);

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
    let concurrency = manager.workers();
    manager.add_task(CONTROLLER, move |ending| async move {
        // Created any earlier, the stream would fill up while another replica is the leader.
        let (objects, store) = controller::primary(&informer);
        Controller::for_shared_stream(objects, store)
            .with_config(runner::Config::default().concurrency(concurrency))
{%- for watch in watched %}
            .owns_shared_stream(controller::touched(&{{ watch.variable }}))
{%- endfor %}
            .graceful_shutdown_on(ending.cancelled_owned())
            .run(reconcile, |_, _, _| Action::requeue(RETRY), Arc::new(()))
            .for_each(|outcome| async move {
                if let Err(error) = outcome {
                    let error = format!("{:#}", anyhow::Error::new(error));
                    tracing::warn!(controller = CONTROLLER, error, "reconcile failed, retrying");
                }
            })
            .await;
        Ok(())
    });
}

/// Reconciles one object. This is a stub: move the logic of the Go controller here.
{%- if kind|length > 29 %}
async fn reconcile(
    found: Arc<{{ kind }}>,
    _context: Arc<()>,
) -> Result<Action> {
{%- else %}
async fn reconcile(found: Arc<{{ kind }}>, _context: Arc<()>) -> Result<Action> {
{%- endif %}
    let generation = found.metadata.generation;
    tracing::info!(
        object = found.name_any(),
        generation,
        "nothing is implemented yet"
    );
    Ok(Action::await_change())
}
