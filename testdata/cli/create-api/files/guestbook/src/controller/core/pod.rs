//! Looks after every Pod of the cluster.

use k8s_openapi::api::core::v1::Pod;
use kgen_runtime::Lister;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};

/// What the controller is called in metrics and logs.
const CONTROLLER: &str = "pod";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<Pod>();
    let worker = Worker {
        objects: informer.lister(),
    };
    let controller = Controller::new(manager, CONTROLLER, worker).watch(&informer);
    manager.add(controller);
}

/// Looks things up, and carries out what [`reconcile`] has decided.
struct Worker {
    objects: Lister<Pod>,
}

impl Reconciler for Worker {
    type Error = kgen_runtime::Error;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let found = match self.objects.get(key.namespace.as_deref(), &key.name) {
            Ok(found) => found,
            Err(error) if error.is_not_found() => return Ok(Next::Change),
            Err(error) => return Err(error),
        };
        for action in reconcile(&found) {
            tracing::info!(object = %key, ?action, "this is to be done");
        }
        Ok(Next::Change)
    }
}

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// An example of an action. Replace it by what you need.
    Greet(String),
}

/// What is to be done about `object`.
///
/// It talks to nobody, so each behaviour is a test of a few lines.
pub fn reconcile(object: &Pod) -> Vec<Action> {
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
    fn whoever_has_a_name_is_greeted() {
        let mut object = Pod::default();
        assert_eq!(reconcile(&object), []);
        object.metadata.name = Some("example".to_owned());
        assert_eq!(reconcile(&object), [Action::Greet("example".to_owned())]);
    }
}
