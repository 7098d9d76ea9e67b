//! The controller of {{ kind }} objects.

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

use crate::api::{{ group_module }}::{{ version }}::{{ module }}::{{ kind }};
use crate::api::{{ group_module }}::{{ version }}::{{ module }}::{{ kind }}Status;

/// The name of the controller in logs.
const CONTROLLER: &str = "{{ controller_name }}";

/// The time to wait before a retry after an error.
const RETRY: Duration = Duration::from_secs(5);

/// Adds the controller to `manager`.
// +kubebuilder:rbac:groups={{ group }},resources={{ plural }},verbs=list;watch
// +kubebuilder:rbac:groups={{ group }},resources={{ plural }}/status,verbs=update
pub fn register(manager: &mut Manager) {
    let all = manager.informers();
    let informer = all.informer::<{{ kind }}>();
    let worker = Arc::new(Worker {
        connection: manager.connection().clone(),
        recorder: manager.recorder().clone(),
    });
    let concurrency = manager.workers();
    manager.add_task(CONTROLLER, move |ending| async move {
        // Created any earlier, the stream would fill up while another replica is the leader.
        let (objects, store) = controller::primary(&informer);
        // To reconcile {{ article }} {{ kind }} when one of its Deployments changes, add:
        // `.owns_shared_stream(controller::touched(&deployments))`
        // Owner references that block its deletion need the verb `update` for `{{ plural }}/finalizers`.
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
{%- if kind|length > 32 %}
async fn work(
    found: Arc<{{ kind }}>,
    worker: Arc<Worker>,
) -> Result<Action> {
{%- else %}
async fn work(found: Arc<{{ kind }}>, worker: Arc<Worker>) -> Result<Action> {
{%- endif %}
    let status = reconcile(&found, &Time(SystemClock.now()));
    if found.status.as_ref() != Some(&status) {
        let mut new = (*found).clone();
        new.status = Some(status);
{%- if cluster %}
        let objects = objects_of(&worker.connection);
{%- else %}
        let namespace = found.namespace().unwrap_or_default();
        let objects = objects_of(&worker.connection, &namespace);
{%- endif %}
        objects.update_status(&new).await?;
        let message = "the actual state matches the spec";
        worker
            .recorder
            .event(&*found, EventType::Normal, "Reconciled", message);
    }
    tracing::debug!(object = found.name_any(), "reconciled");
    Ok(Action::await_change())
}

{%- if cluster %}

/// Returns the client for cluster-scoped {{ kind }} objects.
{%- if kind|length > 48 %}
fn objects_of(
    connection: &Connection,
) -> Handle<{{ kind }}> {
{%- else %}
fn objects_of(connection: &Connection) -> Handle<{{ kind }}> {
{%- endif %}
    Handle::cluster(connection)
}
{%- else %}

/// Returns the client for {{ kind }} objects in `namespace`.
{%- if kind|length > 31 %}
fn objects_of(
    connection: &Connection,
    namespace: &str,
) -> Handle<{{ kind }}> {
{%- else %}
fn objects_of(connection: &Connection, namespace: &str) -> Handle<{{ kind }}> {
{%- endif %}
    Handle::namespaced(connection, namespace)
}
{%- endif %}

/// Computes the new status of `object`.
///
/// This function sends no requests, so tests of it are short. Extend it to return the other changes
/// to make as well: objects to create, update or delete.
{%- if kind|length > 24 %}
pub fn reconcile(
    object: &{{ kind }},
    now: &Time,
) -> {{ kind }}Status {
{%- else %}
pub fn reconcile(object: &{{ kind }}, now: &Time) -> {{ kind }}Status {
{%- endif %}
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

    fn example() -> {{ kind }} {
        let spec = Default::default();
        let mut new = {{ kind }}::new("one", spec);
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
