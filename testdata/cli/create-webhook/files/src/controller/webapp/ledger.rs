//! Keeps what every Ledger asks for.

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
use kube::runtime::controller::Action;

use crate::api::webapp::v1::ledger::Ledger;
use crate::api::webapp::v1::ledger::LedgerStatus;

/// What the controller is called in logs.
const CONTROLLER: &str = "ledger";

/// How long to wait before a failure is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups=webapp.example.com,resources=ledgers,verbs=get;list;watch
// +kubebuilder:rbac:groups=webapp.example.com,resources=ledgers/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=webapp.example.com,resources=ledgers/finalizers,verbs=update
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<Ledger>();
    let worker = Arc::new(Worker {
        connection: manager.connection().clone(),
        recorder: manager.recorder().clone(),
    });
    manager.add_task(CONTROLLER, move |ending| async move {
        // Made any earlier, the stream would fill up while another replica leads.
        let (objects, store) = controller::primary(&informer);
        // To be told of what belongs to a Ledger as well:
        // `.owns_shared_stream(controller::touched(&deployments))`
        Controller::for_shared_stream(objects, store)
            .graceful_shutdown_on(ending.cancelled_owned())
            .run(work, |_, _, _| Action::requeue(RETRY), worker)
            .for_each(|outcome| async move {
                if let Err(error) = outcome {
                    let error = format!("{:#}", anyhow::Error::new(error));
                    tracing::warn!(controller = CONTROLLER, error, "trying again later");
                }
            })
            .await;
        Ok(())
    });
}

/// What carrying out needs.
struct Worker {
    connection: Connection,
    recorder: Recorder,
}

/// Carries out what [`reconcile`] has decided.
async fn work(found: Arc<Ledger>, worker: Arc<Worker>) -> Result<Action> {
    let status = reconcile(&found, &Time(SystemClock.now()));
    if found.status.as_ref() != Some(&status) {
        let mut new = (*found).clone();
        new.status = Some(status);
        let namespace = found.namespace().unwrap_or_default();
        let objects = objects_of(&worker.connection, &namespace);
        objects.update_status(&new).await?;
        let message = "all is as it is wanted";
        worker
            .recorder
            .event(&*found, EventType::Normal, "Reconciled", message);
    }
    tracing::debug!(object = found.name_any(), "reconciled");
    Ok(Action::await_change())
}

/// The objects of the kind in `namespace`.
fn objects_of(connection: &Connection, namespace: &str) -> Handle<Ledger> {
    Handle::namespaced(connection, namespace)
}

/// What the status of `object` should be, going by what there is.
///
/// It talks to nobody, so each behaviour is a test of a few lines. Let it return what else is to be
/// done, too: objects to create, to change, to delete.
pub fn reconcile(object: &Ledger, now: &Time) -> LedgerStatus {
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = object.metadata.generation;
    condition::set(
        &mut status.conditions,
        Condition {
            type_: "Ready".to_owned(),
            status: "True".to_owned(),
            reason: "Reconciled".to_owned(),
            message: "all is as it is wanted".to_owned(),
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
    fn a_new_one_becomes_ready() {
        let now = Time(SystemClock.now());
        let status = reconcile(&example(), &now);
        assert_eq!(status.observed_generation, Some(3));
        assert!(condition::is_true(&status.conditions, "Ready"));
    }

    #[test]
    fn one_that_is_ready_is_left_alone() {
        let mut object = example();
        let status = reconcile(&object, &Time(SystemClock.now()));
        object.status = Some(status.clone());
        assert_eq!(reconcile(&object, &Time(SystemClock.now())), status);
    }
}
