//! The controller of Dock objects.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::core::v1::Service;
use kgen_runtime::manager::Manager;
use kgen_runtime::{Result, controller};
use kube::ResourceExt;
use kube::runtime::Controller;
use kube::runtime::controller::{self as runner, Action};

use crate::api::port::v1::berth::Berth;
use crate::api::port::v1::dock::Dock;

/// The name of the controller in logs.
const CONTROLLER: &str = "dock";

/// The time to wait before a retry after an error.
const RETRY: Duration = Duration::from_secs(5);

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=port.example.com,resources=docks,verbs=create;delete;get;list;patch;update;watch
// +kubebuilder:rbac:groups=port.example.com,resources=docks/finalizers,verbs=update
// +kubebuilder:rbac:groups=port.example.com,resources=docks/status,verbs=get;patch;update
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<Dock>();
    // The role of the Go operator allows it to watch these kinds. It does not say which controller
    // watches them: remove those whose objects this one does not own.
    let pods = all.informer::<Pod>();
    let services = all.informer::<Service>();
    let deployments = all.informer::<Deployment>();
    let berths = all.informer::<Berth>();
    let concurrency = manager.workers();
    manager.add_task(CONTROLLER, move |ending| async move {
        // Created any earlier, the stream would fill up while another replica is the leader.
        let (objects, store) = controller::primary(&informer);
        Controller::for_shared_stream(objects, store)
            .with_config(runner::Config::default().concurrency(concurrency))
            .owns_shared_stream(controller::touched(&pods))
            .owns_shared_stream(controller::touched(&services))
            .owns_shared_stream(controller::touched(&deployments))
            .owns_shared_stream(controller::touched(&berths))
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
async fn reconcile(found: Arc<Dock>, _context: Arc<()>) -> Result<Action> {
    let generation = found.metadata.generation;
    tracing::info!(
        object = found.name_any(),
        generation,
        "nothing is implemented yet"
    );
    Ok(Action::await_change())
}
