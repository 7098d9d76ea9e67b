//! The controller of {{ kind }} objects, a kind that this project does not define.

{% if foreign -%}
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
{% else -%}
use {{ external }};
{% endif -%}
use kgen_runtime::Lister;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
{%- if foreign %}
use kube::Resource as _;

use {{ external }};
{%- endif %}

/// The name of the controller in metrics and logs.
const CONTROLLER: &str = "{{ controller_name }}";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups={{ group or '""' }},resources={{ plural }},verbs=list;watch
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<{{ kind }}>();
    let worker = Worker {
        objects: informer.lister(),
    };
    let controller = Controller::new(manager, CONTROLLER, worker).watch(&informer);
    manager.add(controller);
}

/// Reads objects from the cache and performs the actions that [`reconcile`] returns.
struct Worker {
    objects: Lister<{{ kind }}>,
}

impl Reconciler for Worker {
    type Error = kgen_runtime::Error;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let found = match self.objects.get(key.namespace.as_deref(), &key.name) {
            Ok(found) => found,
            Err(error) if error.is_not_found() => return Ok(Next::AwaitChange),
            Err(error) => return Err(error),
        };
        for action in reconcile({% if foreign %}found.meta(){% else %}&found{% endif %}) {
            tracing::info!(object = %key, ?action, "performing an action");
        }
        Ok(Next::AwaitChange)
    }
}

/// A change to make.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// An example of an action. Replace it with your own.
    Greet(String),
}

{% if foreign -%}
/// Decides which actions the object with `metadata` needs.
///
/// This function sends no requests, so tests of it are short. Give it the whole object when it needs more than the metadata.
pub fn reconcile(metadata: &ObjectMeta) -> Vec<Action> {
    match &metadata.name {
        Some(name) if metadata.deletion_timestamp.is_none() => vec![Action::Greet(name.clone())],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_with_a_name_is_greeted() {
        let mut metadata = ObjectMeta::default();
        assert_eq!(reconcile(&metadata), []);
        metadata.name = Some("example".to_owned());
        assert_eq!(reconcile(&metadata), [Action::Greet("example".to_owned())]);
    }
}
{% else -%}
/// Decides which actions `object` needs.
///
/// This function sends no requests, so tests of it are short.
pub fn reconcile(object: &{{ kind }}) -> Vec<Action> {
    match &object.metadata.name {
        Some(name) if object.metadata.deletion_timestamp.is_none() => {
            vec![Action::Greet(name.clone())]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_with_a_name_is_greeted() {
        let mut object = {{ kind }}::default();
        assert_eq!(reconcile(&object), []);
        object.metadata.name = Some("example".to_owned());
        assert_eq!(reconcile(&object), [Action::Greet("example".to_owned())]);
    }
}
{% endif -%}
