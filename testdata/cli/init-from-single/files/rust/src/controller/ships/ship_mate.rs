//! The controller of ShipMate objects.

use kgen_runtime::Lister;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};

use crate::api::ships::v1::ship_mate::ShipMate;

/// The name of the controller in metrics and logs.
const CONTROLLER: &str = "ship_mate";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=ships.example.org,resources=shipmates,verbs=create;delete;get;list;patch;update;watch
// +kubebuilder:rbac:groups=ships.example.org,resources=shipmates/finalizers,verbs=update
// +kubebuilder:rbac:groups=ships.example.org,resources=shipmates/status,verbs=get;patch;update
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<ShipMate>();
    let worker = Worker {
        objects: informer.lister(),
    };
    let controller = Controller::new(manager, CONTROLLER, worker).watch(&informer);
    manager.add(controller);
}

/// Reads objects from the cache and reconciles them.
struct Worker {
    objects: Lister<ShipMate>,
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
