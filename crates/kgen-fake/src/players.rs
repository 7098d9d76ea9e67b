//! Players: the controllers of a real cluster, as far as tests need them.
//!
//! A player is a function from a changed object to a merge patch of its status. No player runs unless the test asks for it.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::meta;
use crate::state::State;

/// A function from an object to the status that it should have.
type Play = Arc<dyn Fn(&Value) -> Option<Value> + Send + Sync>;

/// Functions that act for the controllers of a real cluster.
///
/// ```
/// use kgen_fake::{Cluster, Players};
/// use serde_json::json;
///
/// let players = Players::workloads().with("Widget", |widget| {
///     (widget["status"]["phase"] != "Ready").then(|| json!({"phase": "Ready"}))
/// });
/// let cluster = Cluster::new().players(players).start();
/// # drop(cluster);
/// ```
#[derive(Clone, Default)]
pub struct Players(Vec<(String, Play)>);

impl Players {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns players for workloads: Deployments, ReplicaSets, StatefulSets and DaemonSets become available, Pods run, Jobs
    /// complete, and Services of type `LoadBalancer` get an address.
    pub fn workloads() -> Self {
        Self::new()
            .with("Deployment", deployment)
            .with("ReplicaSet", replica_set)
            .with("StatefulSet", stateful_set)
            .with("DaemonSet", daemon_set)
            .with("Pod", pod)
            .with("Job", job)
            .with("Service", service)
    }

    /// Adds a player for a kind. It returns the fields of the status that change, or `None` if nothing changes.
    #[must_use]
    pub fn with(
        mut self,
        kind: &str,
        play: impl Fn(&Value) -> Option<Value> + Send + Sync + 'static,
    ) -> Self {
        self.0.push((kind.to_owned(), Arc::new(play)));
        self
    }
}

/// Lets all players see the changes that they have not seen yet. Returns whether anything was written.
pub(crate) fn play(state: &mut State) -> bool {
    let players = state.players.clone();
    let changed: Vec<_> = state
        .store
        .changes_after(state.played)
        .filter(|change| !change.deleted)
        .map(|change| (change.resource.clone(), change.key.clone()))
        .collect();
    state.played = state.store.revision();
    let mut has_written = false;
    for (resource, key) in changed {
        let Some(kind) = state.kinds.by_resource(&resource).cloned() else {
            continue;
        };
        for (_, play) in players.0.iter().filter(|(name, _)| *name == kind.kind) {
            let Some(found) = state.store.get(&resource, &key).cloned() else {
                break;
            };
            let Some(status) = play(&found.object) else {
                continue;
            };
            let mut object = (*found.object).clone();
            crate::patch::apply_merge(&mut object, &json!({"status": status}));
            if object != *found.object {
                state.store.put(&resource, &key, object, found.epoch);
                has_written = true;
            }
        }
    }
    has_written
}

fn replicas(object: &Value) -> i64 {
    object
        .pointer("/spec/replicas")
        .and_then(Value::as_i64)
        .unwrap_or(1)
}

fn deployment(object: &Value) -> Option<Value> {
    let count = replicas(object);
    Some(json!({
        "observedGeneration": meta::generation(object),
        "replicas": count, "updatedReplicas": count, "readyReplicas": count, "availableReplicas": count,
    }))
}

fn replica_set(object: &Value) -> Option<Value> {
    let count = replicas(object);
    Some(json!({
        "observedGeneration": meta::generation(object), "replicas": count, "fullyLabeledReplicas": count,
        "readyReplicas": count, "availableReplicas": count,
    }))
}

fn stateful_set(object: &Value) -> Option<Value> {
    let count = replicas(object);
    Some(json!({
        "observedGeneration": meta::generation(object),
        "replicas": count, "readyReplicas": count, "currentReplicas": count, "updatedReplicas": count,
        "availableReplicas": count,
    }))
}

fn daemon_set(object: &Value) -> Option<Value> {
    Some(json!({
        "observedGeneration": meta::generation(object),
        "desiredNumberScheduled": 1, "currentNumberScheduled": 1, "updatedNumberScheduled": 1, "numberReady": 1,
        "numberAvailable": 1, "numberMisscheduled": 0,
    }))
}

fn pod(object: &Value) -> Option<Value> {
    let is_pending = object.pointer("/status/phase").and_then(Value::as_str) == Some("Pending");
    is_pending.then(|| {
        let condition = |kind: &str| json!({"type": kind, "status": "True"});
        json!({"phase": "Running", "conditions": [condition("Ready"), condition("ContainersReady")]})
    })
}

fn job(object: &Value) -> Option<Value> {
    let count = object
        .pointer("/spec/completions")
        .and_then(Value::as_i64)
        .unwrap_or(1);
    let is_suspended = object.pointer("/spec/suspend") == Some(&Value::Bool(true));
    let is_complete = object.pointer("/status/succeeded").is_some();
    (!is_suspended && !is_complete)
        .then(|| json!({"succeeded": count, "conditions": [{"type": "Complete", "status": "True"}]}))
}

fn service(object: &Value) -> Option<Value> {
    let is_balanced = object.pointer("/spec/type").and_then(Value::as_str) == Some("LoadBalancer");
    let has_address = object.pointer("/status/loadBalancer/ingress").is_some();
    (is_balanced && !has_address).then(|| json!({"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}))
}
