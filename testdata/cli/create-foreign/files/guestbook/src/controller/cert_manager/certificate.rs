//! The controller of Certificate objects, a kind that this project does not define.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kgen_runtime::Lister;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
use kube::Resource as _;

use cert_manager::v1::Certificate;

/// The name of the controller in metrics and logs.
const CONTROLLER: &str = "certificate";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=cert-manager.io,resources=certificates,verbs=list;watch
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<Certificate>();
    let worker = Worker {
        objects: informer.lister(),
    };
    let controller = Controller::new(manager, CONTROLLER, worker).watch(&informer);
    manager.add(controller);
}

/// Reads objects from the cache and performs the actions that [`reconcile`] returns.
struct Worker {
    objects: Lister<Certificate>,
}

impl Reconciler for Worker {
    type Error = kgen_runtime::Error;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let found = match self.objects.get(key.namespace.as_deref(), &key.name) {
            Ok(found) => found,
            Err(error) if error.is_not_found() => return Ok(Next::AwaitChange),
            Err(error) => return Err(error),
        };
        for action in reconcile(found.meta()) {
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
