//! Defaults of pods and of their templates.

use serde_json::{Map, Value, json};

use super::{each, is_set, or, part};
use crate::meta;

fn pod_spec(spec: &mut Value) {
    or(spec, "dnsPolicy", json!("ClusterFirst"));
    or(spec, "restartPolicy", json!("Always"));
    or(spec, "terminationGracePeriodSeconds", json!(30));
    if spec["terminationGracePeriodSeconds"]
        .as_i64()
        .is_some_and(|seconds| seconds < 0)
    {
        spec["terminationGracePeriodSeconds"] = json!(1);
    }
    or(spec, "schedulerName", json!("default-scheduler"));
    or(spec, "securityContext", json!({}));
    // The older name of the same field.
    if let Some(name) = spec.get("serviceAccountName").cloned() {
        or(spec, "serviceAccount", name);
    } else if let Some(name) = spec.get("serviceAccount").cloned() {
        or(spec, "serviceAccountName", name);
    }
    let on_host = spec.get("hostNetwork") == Some(&Value::Bool(true));
    for containers in ["initContainers", "containers", "ephemeralContainers"] {
        each(spec, containers, |one| container(one, on_host));
    }
    each(spec, "volumes", pod_volume);
}

fn container(container: &mut Value, on_host: bool) {
    let image = container.get("image").and_then(Value::as_str).unwrap_or_default();
    let last = image.rsplit('/').next().unwrap_or_default();
    let is_latest = !image.is_empty()
        && !image.contains('@')
        && last.split_once(':').is_none_or(|(_, tag)| tag == "latest");
    let policy = if is_latest { "Always" } else { "IfNotPresent" };
    or(container, "imagePullPolicy", json!(policy));
    or(container, "resources", json!({}));
    or(container, "terminationMessagePath", json!("/dev/termination-log"));
    or(container, "terminationMessagePolicy", json!("File"));
    each(container, "ports", |port| {
        or(port, "protocol", json!("TCP"));
        if on_host && let Some(number) = port.get("containerPort").cloned() {
            or(port, "hostPort", number);
        }
    });
    each(container, "env", |variable| {
        if let Some(field) = variable.pointer_mut("/valueFrom/fieldRef") {
            or(field, "apiVersion", json!("v1"));
        }
    });
    for key in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if let Some(probe) = part(container, key) {
            or(probe, "timeoutSeconds", json!(1));
            or(probe, "periodSeconds", json!(10));
            or(probe, "successThreshold", json!(1));
            or(probe, "failureThreshold", json!(3));
            if let Some(get) = part(probe, "httpGet") {
                http_get(get);
            }
            if let Some(grpc) = part(probe, "grpc") {
                or(grpc, "service", json!(""));
            }
        }
    }
    for pointer in ["/lifecycle/postStart/httpGet", "/lifecycle/preStop/httpGet"] {
        if let Some(get) = container.pointer_mut(pointer) {
            http_get(get);
        }
    }
}

fn http_get(get: &mut Value) {
    or(get, "path", json!("/"));
    or(get, "scheme", json!("HTTP"));
}

fn pod_volume(volume: &mut Value) {
    let is_anything = volume
        .as_object()
        .is_some_and(|volume| volume.keys().any(|key| key != "name"));
    if !is_anything {
        or(volume, "emptyDir", json!({}));
    }
    for key in ["configMap", "secret", "projected", "downwardAPI"] {
        if let Some(source) = part(volume, key) {
            or(source, "defaultMode", json!(420));
            shown_fields(source);
        }
    }
    if let Some(sources) = volume.pointer_mut("/projected") {
        each(sources, "sources", |source| {
            if let Some(token) = part(source, "serviceAccountToken") {
                or(token, "expirationSeconds", json!(3600));
            }
        });
    }
    if let Some(path) = part(volume, "hostPath") {
        or(path, "type", json!(""));
    }
}

/// Fills in the template of a workload.
pub(super) fn template(spec: &mut Value) {
    or(spec, "template", json!({}));
    if let Some(template) = part(spec, "template") {
        or(template, "metadata", json!({}));
        or(template, "spec", json!({}));
        if let Some(spec) = part(template, "spec") {
            pod_spec(spec);
            if !is_set(spec, "containers") {
                spec["containers"] = Value::Null;
            }
        }
    }
}

/// Makes the limits of a container its requests, too.
fn requests(container: &mut Value) {
    let limits = container.pointer("/resources/limits").and_then(Value::as_object);
    for (name, limit) in limits.cloned().into_iter().flatten() {
        let resources = &mut container["resources"];
        or(resources, "requests", json!({}));
        or(&mut resources["requests"], &name, limit);
    }
}

pub(crate) fn pod(object: &mut Value) {
    // The older name of the first address.
    if let Some(status) = part(object, "status") {
        let address = status
            .get("podIP")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let is_first = status
            .pointer("/podIPs/0/ip")
            .is_some_and(|first| *first == *address);
        if !address.is_empty() && !is_first {
            status["podIPs"] = json!([{"ip": address}]);
        }
    }
    if let Some(spec) = part(object, "spec") {
        for containers in ["containers", "initContainers"] {
            each(spec, containers, requests);
        }
    }
    if let Some(spec) = part(object, "spec") {
        pod_spec(spec);
        or(spec, "enableServiceLinks", json!(true));
    }
}

/// Fills in the version of the fields that a volume shows.
fn shown_fields(volume: &mut Value) {
    each(volume, "items", |item| {
        if let Some(field) = part(item, "fieldRef") {
            or(field, "apiVersion", json!("v1"));
        }
    });
}

pub(crate) fn pod_template(object: &mut Value) {
    if let Some(spec) = object.pointer_mut("/template/spec") {
        pod_spec(spec);
    }
}

/// A replication controller selects the labels of its template, and has them.
pub(crate) fn replication_controller(object: &mut Value) {
    let labels = object.pointer("/spec/template/metadata/labels").cloned();
    if let Some(labels) = labels.filter(|labels| labels.as_object().is_some_and(|labels| !labels.is_empty()))
    {
        if let Some(spec) = part(object, "spec") {
            or(spec, "selector", labels.clone());
        }
        if meta::of(object)
            .get("labels")
            .is_none_or(|labels| labels == &json!({}))
        {
            meta::set(object, "labels", labels);
        }
    }
    if let Some(spec) = part(object, "spec") {
        if is_set(spec, "template") {
            template(spec);
        }
        or(spec, "replicas", json!(1));
    }
}

pub(crate) fn new_pod(object: &mut Value) {
    // The plugins that the server has by default add these.
    if let Some(spec) = part(object, "spec") {
        or(spec, "preemptionPolicy", json!("PreemptLowerPriority"));
        or(spec, "priority", json!(0));
    }
    tolerate(object);
    let class = quality_of_service(object);
    object["status"] = json!({"phase": "Pending", "qosClass": class});
}

/// A plugin that the server has by default lets pods stay for a while on nodes that fail.
fn tolerate(object: &mut Value) {
    let Some(spec) = part(object, "spec") else { return };
    or(spec, "tolerations", json!([]));
    if let Some(tolerations) = spec["tolerations"].as_array_mut() {
        for key in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
            if !tolerations.iter().any(|toleration| tolerates(toleration, key)) {
                tolerations.push(json!({
                    "effect": "NoExecute", "key": key, "operator": "Exists", "tolerationSeconds": 300,
                }));
            }
        }
    }
}

/// Keeps what the plugins of the server set once.
pub(crate) fn changed_pod(object: &mut Value, old: &Value) {
    tolerate(object);
    let Some(spec) = part(object, "spec") else { return };
    for key in ["priority", "preemptionPolicy"] {
        if let Some(before) = old.pointer(&format!("/spec/{key}")) {
            or(spec, key, before.clone());
        }
    }
}

/// A pod with gates is not scheduled.
pub(crate) fn gated_pod(object: &mut Value) {
    let gates = object.pointer("/spec/schedulingGates").and_then(Value::as_array);
    if gates.is_some_and(|gates| !gates.is_empty()) {
        let time = meta::of(object).get("creationTimestamp").cloned();
        object["status"]["conditions"] = json!([{
            "type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "lastProbeTime": null,
            "lastTransitionTime": time, "message": "Scheduling is blocked due to non-empty scheduling gates",
        }]);
    }
}

/// Returns whether a toleration is for the effect `NoExecute` of a taint.
fn tolerates(toleration: &Value, key: &str) -> bool {
    let text = |key: &str| toleration.get(key).and_then(Value::as_str).unwrap_or_default();
    matches!(text("effect"), "" | "NoExecute") && (text("key") == key || text("key").is_empty())
}

/// Returns the quality of service that the resources of the containers lead to.
fn quality_of_service(pod: &Value) -> &'static str {
    let containers = pod.pointer("/spec/containers").and_then(Value::as_array);
    let containers: Vec<&Value> = containers.into_iter().flatten().collect();
    // Only these decide about the quality.
    let amounts = |container: &Value, key: &str| {
        let mut amounts = container.pointer(&format!("/resources/{key}")).cloned()?;
        if let Some(amounts) = amounts.as_object_mut() {
            amounts.retain(|name, amount| matches!(name.as_str(), "cpu" | "memory") && amount != "0");
        }
        Some(amounts)
    };
    let is_empty = |container: &&Value| {
        let none = |key| {
            amounts(container, key)
                .and_then(|found| found.as_object().map(Map::is_empty))
                .unwrap_or(true)
        };
        none("limits") && none("requests")
    };
    if containers.iter().all(is_empty) {
        return "BestEffort";
    }
    let is_guaranteed = |container: &&Value| {
        let limits = amounts(container, "limits").unwrap_or_default();
        let both = ["cpu", "memory"].iter().all(|name| limits.get(name).is_some());
        both && amounts(container, "requests").is_none_or(|requests| requests == limits)
    };
    if containers.iter().all(is_guaranteed) {
        "Guaranteed"
    } else {
        "Burstable"
    }
}
