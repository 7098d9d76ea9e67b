//! The status of a Foo: the number of available pods and the condition `Ready`, from its Deployment.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;

use crate::api::v1::{Foo, FooStatus};

/// The type of the condition.
const READY: &str = "Ready";

/// Returns the operator's part of the status if it has changed. Conditions of other types do not change.
pub(super) fn changed(foo: &Foo, deployment: Option<&Deployment>, now: Timestamp) -> Option<FooStatus> {
    let present = foo.status.as_ref();
    let ready_before = present.and_then(|status| {
        let mut conditions = status.conditions.iter();
        conditions.find(|condition| condition.type_ == READY)
    });
    let available_replicas = deployment
        .and_then(|deployment| deployment.status.as_ref()?.available_replicas)
        .unwrap_or(0);
    let ready = ready(foo, deployment, available_replicas, ready_before, now);
    let is_same = present.is_some_and(|present| {
        present.available_replicas == available_replicas
            && present.observed_generation == foo.metadata.generation
            && ready_before == Some(&ready)
    });
    (!is_same).then(|| FooStatus {
        available_replicas,
        observed_generation: foo.metadata.generation,
        conditions: vec![ready],
    })
}

fn ready(
    foo: &Foo,
    deployment: Option<&Deployment>,
    available: i32,
    before: Option<&Condition>,
    now: Timestamp,
) -> Condition {
    let wanted = foo
        .spec
        .replicas
        .or_else(|| deployment?.spec.replicas)
        .unwrap_or(1);
    let (status, reason) = if available >= wanted {
        ("True", "ReplicasAvailable")
    } else {
        ("False", "ReplicasMissing")
    };
    Condition {
        type_: READY.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message: format!("{available} of {wanted} replicas are available"),
        observed_generation: foo.metadata.generation,
        last_transition_time: before.filter(|before| before.status == status).map_or_else(
            || Time(whole_second(now)),
            |before| before.last_transition_time.clone(),
        ),
    }
}

/// Removes the fraction of a second, which times in objects do not have.
fn whole_second(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}
