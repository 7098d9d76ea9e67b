//! The controller of Ledger objects.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::manager::Manager;
use kgen_runtime::recorder::{EventType, Recorder};
use kgen_runtime::{Connection, Handle, Result, condition, controller};
use kube::ResourceExt;
use kube::runtime::Controller;
use kube::runtime::controller::{self as runner, Action};

use crate::api::webapp::v1::ledger::Ledger;
use crate::api::webapp::v1::ledger::LedgerStatus;

/// The name of the controller in logs.
const CONTROLLER: &str = "ledger";

/// The time to wait before a retry after an error.
const RETRY: Duration = Duration::from_secs(5);

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=webapp.example.com,resources=ledgers,verbs=list;watch
// +kubebuilder:rbac:groups=webapp.example.com,resources=ledgers/status,verbs=update
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<Ledger>();
    let worker = Arc::new(Worker {
        connection: manager.connection().clone(),
        recorder: manager.recorder().clone(),
    });
    let concurrency = manager.workers();
    manager.add_task(CONTROLLER, move |ending| async move {
        // Created any earlier, the stream would fill up while another replica is the leader.
        let (objects, store) = controller::primary(&informer);
        // To reconcile a Ledger when one of its Deployments changes, add:
        // `.owns_shared_stream(controller::touched(&deployments))`
        // Owner references that block its deletion need the verb `update` for `ledgers/finalizers`.
        Controller::for_shared_stream(objects, store)
            .with_config(runner::Config::default().concurrency(concurrency))
            .graceful_shutdown_on(ending.cancelled_owned())
            .run(work, |_, _, _| Action::requeue(RETRY), worker)
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

/// The state that [`work`] needs.
struct Worker {
    connection: Connection,
    recorder: Recorder,
}

/// Reconciles one object: writes the status that [`reconcile`] returns.
async fn work(found: Arc<Ledger>, worker: Arc<Worker>) -> Result<Action> {
    let status = reconcile(&found, &Time(SystemClock.now()));
    if found.status.as_ref() != Some(&status) {
        let mut new = (*found).clone();
        new.status = Some(status);
        let namespace = found.namespace().unwrap_or_default();
        let objects = objects_of(&worker.connection, &namespace);
        objects.update_status(&new).await?;
        let message = "the actual state matches the spec";
        worker
            .recorder
            .event(&*found, EventType::Normal, "Reconciled", message);
    }
    tracing::debug!(object = found.name_any(), "reconciled");
    Ok(Action::await_change())
}

/// Returns the client for Ledger objects in `namespace`.
fn objects_of(connection: &Connection, namespace: &str) -> Handle<Ledger> {
    Handle::namespaced(connection, namespace)
}

/// Computes the new status of `object`.
///
/// This function sends no requests, so tests of it are short. Extend it to return the other changes
/// to make as well: objects to create, update or delete.
pub fn reconcile(object: &Ledger, now: &Time) -> LedgerStatus {
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = object.metadata.generation;
    condition::set(
        &mut status.conditions,
        Condition {
            type_: "Ready".to_owned(),
            status: "True".to_owned(),
            reason: "Reconciled".to_owned(),
            message: "the actual state matches the spec".to_owned(),
            observed_generation: object.metadata.generation,
            last_transition_time: now.clone(),
        },
    );
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Ledger {
        let spec = Default::default();
        let mut new = Ledger::new("one", spec);
        new.metadata.generation = Some(3);
        new
    }

    #[test]
    fn a_new_object_becomes_ready() {
        let now = Time(SystemClock.now());
        let status = reconcile(&example(), &now);
        assert_eq!(status.observed_generation, Some(3));
        assert!(condition::is_true(&status.conditions, "Ready"));
    }

    #[test]
    fn a_ready_object_does_not_change() {
        let mut object = example();
        let status = reconcile(&object, &Time(SystemClock.now()));
        object.status = Some(status.clone());
        assert_eq!(reconcile(&object, &Time(SystemClock.now())), status);
    }
}
