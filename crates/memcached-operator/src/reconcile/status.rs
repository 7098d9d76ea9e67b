//! The status of a Memcached: the names of its pods, and the conditions `Available` and `Degraded`.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use kgen_runtime::owner::is_controlled_by;
use kube::ResourceExt;

use super::Observed;
use crate::api::v1alpha1::{Memcached, MemcachedStatus};

/// Whether the desired number of servers is available.
const AVAILABLE: &str = "Available";

/// Whether there is a problem.
const DEGRADED: &str = "Degraded";

/// A problem.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    pub(super) reason: &'static str,
    pub(super) message: String,
    /// Whether a person has to solve it.
    pub(super) needs_somebody: bool,
}

impl Trouble {
    /// Returns the problem that a Deployment of that name has another owner.
    pub(super) fn name_taken(name: &str) -> Self {
        Self {
            reason: "NameTaken",
            message: format!("Deployment {name:?} already exists and is not managed by this Memcached"),
            needs_somebody: true,
        }
    }

    /// Returns the problem that the Memcached is being deleted.
    pub(super) fn finalizing() -> Self {
        Self {
            reason: "Finalizing",
            message: "Waiting for all servers to end".to_owned(),
            needs_somebody: false,
        }
    }

    /// Returns whether the status already has this problem.
    pub(super) fn was_told(&self, memcached: &Memcached) -> bool {
        before(memcached, DEGRADED).is_some_and(|condition| condition.reason == self.reason)
    }
}

/// Returns the problem that the Deployment reports: pods that cannot be created, or a rollout without progress.
pub(super) fn trouble_of(deployment: &Deployment) -> Option<Trouble> {
    let conditions = deployment.status.as_ref()?.conditions.as_ref()?;
    let failing = conditions.iter().find(|condition| {
        let (kind, status) = (condition.type_.as_deref(), condition.status.as_deref());
        matches!(
            (kind, status),
            (Some("ReplicaFailure"), Some("True")) | (Some("Progressing"), Some("False"))
        )
    })?;
    Some(Trouble {
        reason: "DeploymentFailing",
        message: failing.message.clone().unwrap_or_default(),
        needs_somebody: true,
    })
}

/// Returns the operator's part of the status if it has changed. Conditions of other types do not change.
pub(super) fn changed(observed: Observed<'_>, trouble: Option<&Trouble>) -> Option<MemcachedStatus> {
    let memcached = observed.memcached;
    let conditions = vec![available(observed), degraded(observed, trouble)];
    let nodes = nodes(observed);
    let is_same = memcached.status.as_ref().is_some_and(|present| {
        present.nodes == nodes
            && present.observed_generation == memcached.metadata.generation
            && conditions
                .iter()
                .all(|condition| present.conditions.contains(condition))
    });
    (!is_same).then_some(MemcachedStatus {
        nodes,
        observed_generation: memcached.metadata.generation,
        conditions,
    })
}

/// Returns the names of the pods that are not terminating, in order.
fn nodes(observed: Observed<'_>) -> Vec<String> {
    let mut names: Vec<_> = observed
        .pods
        .iter()
        .filter(|pod| is_living(pod))
        .map(|pod| pod.name_any())
        .collect();
    names.sort();
    names
}

fn is_living(pod: &Pod) -> bool {
    let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
    pod.metadata.deletion_timestamp.is_none() && !matches!(phase, Some("Succeeded" | "Failed"))
}

fn available(observed: Observed<'_>) -> Condition {
    let wanted = observed.memcached.spec.size;
    let available = observed
        .deployment
        .filter(|found| is_controlled_by(*found, observed.memcached))
        .and_then(|found| found.status.as_ref()?.available_replicas)
        .unwrap_or(0);
    let (is_available, reason) = match available >= wanted {
        true => (true, "ServersAvailable"),
        false => (false, "ServersMissing"),
    };
    let message = format!("{available} of {wanted} servers are available");
    condition(observed, AVAILABLE, is_available, reason, message)
}

fn degraded(observed: Observed<'_>, trouble: Option<&Trouble>) -> Condition {
    match trouble {
        Some(trouble) => condition(observed, DEGRADED, true, trouble.reason, trouble.message.clone()),
        None => condition(observed, DEGRADED, false, "AsExpected", String::new()),
    }
}

fn condition(observed: Observed<'_>, kind: &str, holds: bool, reason: &str, message: String) -> Condition {
    let status = if holds { "True" } else { "False" };
    let before = before(observed.memcached, kind).filter(|before| before.status == status);
    Condition {
        type_: kind.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message,
        observed_generation: observed.memcached.metadata.generation,
        last_transition_time: before.map_or_else(
            || Time(whole_second(observed.now)),
            |before| before.last_transition_time.clone(),
        ),
    }
}

/// Returns the condition of that type in the status.
fn before<'a>(memcached: &'a Memcached, kind: &str) -> Option<&'a Condition> {
    let mut conditions = memcached.status.iter().flat_map(|status| &status.conditions);
    conditions.find(|condition| condition.type_ == kind)
}

/// Removes the fraction of a second, which times in objects do not have.
fn whole_second(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}
