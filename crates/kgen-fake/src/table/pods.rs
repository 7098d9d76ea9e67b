//! The cells of pods: what kubectl shows is computed from the states of all containers.

use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};

use super::age;
use crate::meta;

pub(super) fn cells(pod: &Value, now: Timestamp) -> Vec<Value> {
    let text = |path: &str| pod.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let shown = Shown::of(pod);
    let restarts = match shown.last_restart {
        Some(time) if shown.restarts != 0 => format!("{} ({} ago)", shown.restarts, age(now, time)),
        _ => shown.restarts.to_string(),
    };
    let created = match text("/metadata/creationTimestamp").parse::<Timestamp>() {
        Ok(time) => age(now, time),
        Err(_) => "<unknown>".to_owned(),
    };
    let or_none = |text: &str| {
        if text.is_empty() {
            json!("<none>")
        } else {
            json!(text)
        }
    };
    vec![
        json!(meta::name(pod)),
        json!(format!("{}/{}", shown.ready, shown.total)),
        json!(shown.reason),
        json!(restarts),
        json!(created),
        or_none(text("/status/podIPs/0/ip")),
        or_none(text("/spec/nodeName")),
        or_none(text("/status/nominatedNodeName")),
        json!(gates(pod)),
    ]
}

/// Returns the conditions of the row of a pod that has ended.
pub(super) fn conditions(pod: &Value) -> Option<Value> {
    let phase = pod.pointer("/status/phase").and_then(Value::as_str)?;
    let message = match phase {
        "Succeeded" => "The pod has completed successfully.",
        "Failed" => "The pod failed.",
        _ => return None,
    };
    Some(json!([{"type": "Completed", "status": "True", "reason": phase, "message": message}]))
}

fn list<'p>(pod: &'p Value, path: &str) -> &'p [Value] {
    let list = pod.pointer(path).and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
}

fn condition<'p>(pod: &'p Value, kind: &str) -> Option<&'p Value> {
    let mut conditions = list(pod, "/status/conditions").iter();
    conditions.find(|condition| condition.get("type").is_some_and(|found| found == kind))
}

fn is_true(pod: &Value, kind: &str) -> bool {
    condition(pod, kind).and_then(|condition| condition.get("status")) == Some(&json!("True"))
}

fn gates(pod: &Value) -> String {
    let gates = list(pod, "/spec/readinessGates");
    if gates.is_empty() {
        return "<none>".to_owned();
    }
    let open = gates.iter().filter(|gate| {
        let kind = gate.get("conditionType").and_then(Value::as_str);
        kind.is_some_and(|kind| is_true(pod, kind))
    });
    format!("{}/{}", open.count(), gates.len())
}

/// The numbers and states of the containers of a pod.
struct Shown {
    reason: String,
    ready: usize,
    total: usize,
    restarts: i64,
    last_restart: Option<Timestamp>,
}

/// The state of one container.
struct State<'c>(&'c Value);

impl<'c> State<'c> {
    fn number(&self, path: &str) -> i64 {
        self.0.pointer(path).and_then(Value::as_i64).unwrap_or(0)
    }

    fn text(&self, path: &str) -> &'c str {
        self.0.pointer(path).and_then(Value::as_str).unwrap_or_default()
    }

    fn is(&self, path: &str) -> bool {
        self.0
            .pointer(path)
            .is_some_and(|value| !value.is_null() && *value != Value::Bool(false))
    }

    fn restarted(&self) -> Option<Timestamp> {
        self.text("/lastState/terminated/finishedAt").parse().ok()
    }

    /// Returns the reason why the container has ended.
    fn end(&self) -> String {
        match (
            self.text("/state/terminated/reason"),
            self.number("/state/terminated/signal"),
        ) {
            ("", 0) => format!("ExitCode:{}", self.number("/state/terminated/exitCode")),
            ("", signal) => format!("Signal:{signal}"),
            (reason, _) => reason.to_owned(),
        }
    }
}

impl Shown {
    fn of(pod: &Value) -> Self {
        let text = |path: &str| pod.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let phase = text("/status/phase");
        let mut reason = match text("/status/reason") {
            "" => phase,
            reason => reason,
        }
        .to_owned();
        let scheduled = condition(pod, "PodScheduled");
        if scheduled.and_then(|condition| condition.get("reason")) == Some(&json!("SchedulingGated")) {
            reason = "SchedulingGated".to_owned();
        }
        let init = list(pod, "/spec/initContainers");
        let is_sidecar = |container: &&Value| container.get("restartPolicy") == Some(&json!("Always"));
        let mut shown = Self {
            reason,
            ready: 0,
            total: list(pod, "/spec/containers").len() + init.iter().filter(is_sidecar).count(),
            restarts: 0,
            last_restart: None,
        };
        let (mut sidecar_restarts, mut sidecar_restart) = (0, None);
        let mut is_initializing = false;
        for (index, status) in list(pod, "/status/initContainerStatuses").iter().enumerate() {
            let state = State(status);
            let name = state.text("/name");
            let is_sidecar = init
                .iter()
                .filter(is_sidecar)
                .any(|container| container.get("name").is_some_and(|found| found == name));
            shown.restarts += state.number("/restartCount");
            shown.last_restart = shown.last_restart.max(state.restarted());
            if is_sidecar {
                sidecar_restarts += state.number("/restartCount");
                sidecar_restart = sidecar_restart.max(state.restarted());
            }
            if state.is("/state/terminated") && state.number("/state/terminated/exitCode") == 0 {
                continue;
            }
            if is_sidecar && state.is("/started") {
                shown.ready += usize::from(state.is("/ready"));
                continue;
            }
            let waiting = state.text("/state/waiting/reason");
            shown.reason = if state.is("/state/terminated") {
                format!("Init:{}", state.end())
            } else if !matches!(waiting, "" | "PodInitializing") {
                format!("Init:{waiting}")
            } else {
                format!("Init:{index}/{}", init.len())
            };
            is_initializing = true;
            break;
        }
        if !is_initializing || is_true(pod, "Initialized") {
            shown.restarts = sidecar_restarts;
            shown.last_restart = sidecar_restart;
            shown.add_containers(pod);
        }
        if meta::is_being_deleted(pod) {
            if text("/status/reason") == "NodeLost" {
                shown.reason = "Unknown".to_owned();
            } else if !matches!(phase, "Succeeded" | "Failed") {
                shown.reason = "Terminating".to_owned();
            }
        }
        shown
    }

    fn add_containers(&mut self, pod: &Value) {
        let (mut is_running, mut failure) = (false, String::new());
        for status in list(pod, "/status/containerStatuses").iter().rev() {
            let state = State(status);
            self.restarts += state.number("/restartCount");
            self.last_restart = self.last_restart.max(state.restarted());
            let waiting = state.text("/state/waiting/reason");
            if !waiting.is_empty() {
                self.reason = waiting.to_owned();
            } else if state.is("/state/terminated") {
                self.reason = state.end();
                if state.number("/state/terminated/exitCode") != 0 {
                    failure.clone_from(&self.reason);
                }
            } else if state.is("/ready") && state.is("/state/running") {
                is_running = true;
                self.ready += 1;
            }
        }
        if self.reason == "Completed" {
            if is_running && is_true(pod, "Ready") {
                self.reason = "Running".to_owned();
            } else if !failure.is_empty() {
                self.reason = failure;
            } else if is_running {
                self.reason = "NotReady".to_owned();
            }
        }
    }
}
