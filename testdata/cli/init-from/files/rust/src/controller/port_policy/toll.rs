//! The controller of Toll objects.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::core::v1::Service;
use kgen_runtime::Lister;
use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};

use crate::api::port::v1::berth::Berth;
use crate::api::port_policy::v1alpha1::toll::Toll;

/// The name of the controller in metrics and logs.
const CONTROLLER: &str = "toll";

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=port.policy.example.com,resources=tolls,verbs=get;list;watch
// +kubebuilder:rbac:groups=port.policy.example.com,resources=tolls/status,verbs=get;patch;update
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<Toll>();
    // The role of the Go operator allows it to watch these kinds. It does not say which controller
    // watches them: remove those whose objects this one does not own.
    let pods = all.informer::<Pod>();
    let services = all.informer::<Service>();
    let deployments = all.informer::<Deployment>();
    let berths = all.informer::<Berth>();
    let worker = Worker {
        objects: informer.lister(),
    };
    let controller = Controller::new(manager, CONTROLLER, worker)
        .watch(&informer)
        .watch_owned::<Toll, _>(&pods)
        .watch_owned::<Toll, _>(&services)
        .watch_owned::<Toll, _>(&deployments)
        .watch_owned::<Toll, _>(&berths);
    manager.add(controller);
}

/// Reads objects from the cache and reconciles them.
struct Worker {
    objects: Lister<Toll>,
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
