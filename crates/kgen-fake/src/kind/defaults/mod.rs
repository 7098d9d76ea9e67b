//! The defaults of built-in kinds that exist only in the Go code of Kubernetes.
//!
//! Each function fills in one kind. They use `or`, which sets a field that is missing.

use serde_json::{Map, Value, json};

use super::remove;
use crate::meta;

mod autoscaler;
mod network;
mod nodes;
mod pods;

pub(crate) use autoscaler::*;
pub(crate) use network::*;
pub(crate) use nodes::*;
use pods::template;
pub(crate) use pods::*;

/// Sets a field of an object if it is missing or `null`.
fn or(object: &mut Value, key: &str, default: Value) {
    if object.is_object() && object.get(key).is_none_or(Value::is_null) {
        object[key] = default;
    }
}

/// Returns a part of an object, if it is an object.
fn part<'o>(object: &'o mut Value, key: &str) -> Option<&'o mut Value> {
    object.get_mut(key).filter(|value| value.is_object())
}

fn each(object: &mut Value, key: &str, change: impl Fn(&mut Value)) {
    if let Some(items) = object.get_mut(key).and_then(Value::as_array_mut) {
        items.iter_mut().for_each(change);
    }
}

fn is_set(object: &Value, key: &str) -> bool {
    object.get(key).is_some_and(|value| !value.is_null())
}

pub(crate) fn namespace(object: &mut Value) {
    let name = meta::name(object).to_owned();
    if !name.is_empty() {
        let metadata = meta::of_mut(object);
        let labels = metadata
            .entry("labels")
            .or_insert_with(|| Value::Object(Map::new()));
        if labels.is_object() {
            labels["kubernetes.io/metadata.name"] = Value::from(name);
        }
    }
}

pub(crate) fn new_namespace(object: &mut Value) {
    let finalizers = object.pointer("/spec/finalizers").and_then(Value::as_array);
    let mut finalizers = finalizers.cloned().unwrap_or_default();
    if !finalizers.contains(&json!("kubernetes")) {
        finalizers.push(json!("kubernetes"));
    }
    object["spec"] = json!({"finalizers": finalizers});
    object["status"] = json!({"phase": "Active"});
}

/// An update cannot change the finalizers of the spec.
pub(crate) fn changed_namespace(object: &mut Value, old: &Value) {
    super::put(object, "spec", old.get("spec").cloned());
}

pub(crate) fn namespace_field(object: &Value, field: &str) -> Option<String> {
    (field == "name").then(|| meta::name(object).to_owned())
}

pub(crate) fn event(object: &mut Value) {
    for key in ["source", "involvedObject"] {
        or(object, key, json!({}));
    }
    for key in ["firstTimestamp", "lastTimestamp", "eventTime"] {
        if object.get(key).is_none() {
            object[key] = Value::Null;
        }
    }
    or(object, "reportingComponent", json!(""));
    or(object, "reportingInstance", json!(""));
}

pub(crate) fn event_field(object: &Value, field: &str) -> Option<String> {
    let text = |pointer: &str| {
        object
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    (field == "source").then(|| {
        let source = text("/source/component");
        if source.is_empty() {
            text("/reportingComponent")
        } else {
            source
        }
    })
}

pub(crate) fn secret(object: &mut Value) {
    or(object, "type", json!("Opaque"));
    // Texts are stored as bytes.
    if let Some(Value::Object(texts)) = object.get("stringData").cloned() {
        use base64::Engine as _;
        for (key, text) in texts {
            let encoded = base64::engine::general_purpose::STANDARD.encode(text.as_str().unwrap_or_default());
            or(object, "data", json!({}));
            object["data"][key] = Value::from(encoded);
        }
    }
    remove(object, "stringData");
}

pub(crate) fn claim(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        or(spec, "volumeMode", json!("Filesystem"));
        or(spec, "resources", json!({}));
        // The older name of the same field.
        for (key, other) in [("dataSource", "dataSourceRef"), ("dataSourceRef", "dataSource")] {
            if let Some(source) = spec.get(key).filter(|source| source.is_object()).cloned() {
                or(spec, other, source);
            }
        }
    }
}

pub(crate) fn new_claim(object: &mut Value) {
    object["status"] = json!({"phase": "Pending"});
    protect(object, "kubernetes.io/pvc-protection");
}

pub(crate) fn new_volume(object: &mut Value) {
    object["status"] = json!({"phase": "Pending"});
    protect(object, "kubernetes.io/pv-protection");
}

pub(crate) fn new_attributes_class(object: &mut Value) {
    protect(object, "kubernetes.io/vac-protection");
}

/// The phase of a new volume began when it was created.
pub(crate) fn volume_phase(object: &mut Value) {
    let time = meta::of(object).get("creationTimestamp").cloned();
    object["status"]["lastPhaseTransitionTime"] = time.unwrap_or_default();
}

/// Adds the finalizer that keeps storage as long as it is used.
fn protect(object: &mut Value, name: &str) {
    let mut finalizers: Vec<String> = meta::finalizers(object).into_iter().map(str::to_owned).collect();
    if !finalizers.iter().any(|known| known == name) {
        finalizers.push(name.to_owned());
    }
    meta::set_finalizers(object, &finalizers);
}

pub(crate) fn volume(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        or(spec, "persistentVolumeReclaimPolicy", json!("Retain"));
        or(spec, "volumeMode", json!("Filesystem"));
        if let Some(path) = part(spec, "hostPath") {
            or(path, "type", json!(""));
        }
    }
}

pub(crate) fn role(object: &mut Value) {
    if object.get("rules").is_none() {
        object["rules"] = Value::Null;
    }
}

pub(crate) fn binding(object: &mut Value) {
    if let Some(role) = part(object, "roleRef") {
        if role.get("apiGroup").is_some_and(|group| group == "") {
            remove(role, "apiGroup");
        }
        or(role, "apiGroup", json!("rbac.authorization.k8s.io"));
    }
    each(object, "subjects", |subject| {
        if matches!(
            subject.get("kind").and_then(Value::as_str),
            Some("User" | "Group")
        ) {
            or(subject, "apiGroup", json!("rbac.authorization.k8s.io"));
        }
    });
}

pub(crate) fn priority_class(object: &mut Value) {
    or(object, "preemptionPolicy", json!("PreemptLowerPriority"));
}

pub(crate) fn storage_class(object: &mut Value) {
    or(object, "reclaimPolicy", json!("Delete"));
    or(object, "volumeBindingMode", json!("Immediate"));
}

pub(crate) fn new_budget(object: &mut Value) {
    object["status"] =
        json!({"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0});
}

pub(crate) fn webhooks(object: &mut Value) {
    each(object, "webhooks", |webhook| {
        or(webhook, "failurePolicy", json!("Fail"));
        or(webhook, "matchPolicy", json!("Equivalent"));
        or(webhook, "namespaceSelector", json!({}));
        or(webhook, "objectSelector", json!({}));
        or(webhook, "timeoutSeconds", json!(10));
        each(webhook, "rules", |rule| or(rule, "scope", json!("*")));
        if let Some(service) = webhook.pointer_mut("/clientConfig/service") {
            or(service, "port", json!(443));
        }
    });
}

pub(crate) fn mutating_webhooks(object: &mut Value) {
    webhooks(object);
    each(object, "webhooks", |webhook| {
        or(webhook, "reinvocationPolicy", json!("Never"))
    });
}

pub(crate) fn deployment(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        template(spec);
        or(spec, "replicas", json!(1));
        or(spec, "revisionHistoryLimit", json!(10));
        or(spec, "progressDeadlineSeconds", json!(600));
        or(spec, "strategy", json!({}));
        if let Some(strategy) = part(spec, "strategy") {
            or(strategy, "type", json!("RollingUpdate"));
            if strategy["type"] == "RollingUpdate" {
                or(strategy, "rollingUpdate", json!({}));
                if let Some(update) = part(strategy, "rollingUpdate") {
                    or(update, "maxUnavailable", json!("25%"));
                    or(update, "maxSurge", json!("25%"));
                }
            }
        }
    }
    or(object, "status", json!({}));
}

pub(crate) fn replica_set(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        template(spec);
        or(spec, "replicas", json!(1));
    }
}

pub(crate) fn no_replicas(object: &mut Value) {
    object["status"] = json!({"replicas": 0});
}

pub(crate) fn stateful_set(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        template(spec);
        or(spec, "podManagementPolicy", json!("OrderedReady"));
        or(spec, "updateStrategy", json!({}));
        if let Some(strategy) = part(spec, "updateStrategy") {
            or(strategy, "type", json!("RollingUpdate"));
            if strategy["type"] == "RollingUpdate" {
                or(strategy, "rollingUpdate", json!({}));
                if let Some(update) = part(strategy, "rollingUpdate") {
                    or(update, "partition", json!(0));
                }
            }
        }
        or(spec, "persistentVolumeClaimRetentionPolicy", json!({}));
        if let Some(policy) = part(spec, "persistentVolumeClaimRetentionPolicy") {
            for key in ["whenDeleted", "whenScaled"] {
                if policy.get(key).is_none_or(|policy| policy == "") {
                    policy[key] = json!("Retain");
                }
            }
        }
        or(spec, "replicas", json!(1));
        or(spec, "revisionHistoryLimit", json!(10));
        or(spec, "serviceName", json!(""));
        each(spec, "volumeClaimTemplates", |template| {
            claim(template);
            or(template, "status", json!({}));
            or(&mut template["status"], "phase", json!("Pending"));
            or(template, "apiVersion", json!("v1"));
            or(template, "kind", json!("PersistentVolumeClaim"));
        });
    }
}

pub(crate) fn new_stateful_set(object: &mut Value) {
    object["status"] = json!({"replicas": 0, "availableReplicas": 0});
}

pub(crate) fn daemon_set(object: &mut Value) {
    // The generation of the template is a field in Kubernetes' own type, which every version shows as an annotation.
    let annotations = meta::of_mut(object)
        .entry("annotations")
        .or_insert_with(|| json!({}));
    if annotations.is_null() {
        *annotations = json!({});
    }
    or(annotations, GENERATION, json!("0"));
    if let Some(spec) = part(object, "spec") {
        template(spec);
        or(spec, "updateStrategy", json!({}));
        if let Some(strategy) = part(spec, "updateStrategy") {
            or(strategy, "type", json!("RollingUpdate"));
            if strategy["type"] == "RollingUpdate" {
                or(strategy, "rollingUpdate", json!({}));
                if let Some(update) = part(strategy, "rollingUpdate") {
                    or(update, "maxUnavailable", json!(1));
                    or(update, "maxSurge", json!(0));
                }
            }
        }
        or(spec, "revisionHistoryLimit", json!(10));
    }
}

pub(crate) fn new_daemon_set(object: &mut Value) {
    object["status"] = json!({
        "currentNumberScheduled": 0, "numberMisscheduled": 0, "desiredNumberScheduled": 0, "numberReady": 0,
    });
    meta::of_mut(object)
        .entry("annotations")
        .or_insert_with(|| json!({}))
        .as_object_mut()
        .into_iter()
        .for_each(|annotations| {
            annotations.insert(GENERATION.to_owned(), json!("1"));
        });
}

pub(crate) const GENERATION: &str = "deprecated.daemonset.template.generation";

/// Counts the changes of the template.
pub(crate) fn changed_daemon_set(object: &mut Value, old: &Value) {
    let count = meta::of(old)
        .get("annotations")
        .and_then(|annotations| annotations.get(GENERATION));
    let count = count
        .and_then(Value::as_str)
        .and_then(|count| count.parse::<i64>().ok());
    let is_changed = object.pointer("/spec/template") != old.pointer("/spec/template");
    let count = count.unwrap_or(0) + i64::from(is_changed);
    let annotations = meta::of_mut(object)
        .entry("annotations")
        .or_insert_with(|| json!({}));
    if annotations.is_object() {
        annotations[GENERATION] = Value::from(count.to_string());
    }
}

pub(crate) fn job(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        job_spec(spec);
    }
    // New Jobs get theirs together with the labels of their pods.
    let labels = object.pointer("/spec/template/metadata/labels").cloned();
    let is_stored = !meta::uid(object).is_empty();
    if (is_stored || object.pointer("/spec/manualSelector") == Some(&Value::Bool(true)))
        && let Some(labels) = labels
        && meta::of(object)
            .get("labels")
            .is_none_or(|labels| labels == &json!({}))
    {
        meta::set(object, "labels", labels);
    }
    or(object, "status", json!({}));
}

/// Makes a Job select its own pods, by its UID.
pub(crate) fn select_own_pods(object: &mut Value) {
    let (uid, name) = (meta::uid(object).to_owned(), meta::name(object).to_owned());
    if object.pointer("/spec/manualSelector") == Some(&Value::Bool(true)) {
        return;
    }
    let Some(spec) = part(object, "spec") else { return };
    if let Some(template) = part(spec, "template") {
        or(template, "metadata", json!({}));
        let metadata = &mut template["metadata"];
        or(metadata, "labels", json!({}));
        for (key, value) in [("controller-uid", &uid), ("job-name", &name)] {
            metadata["labels"][key] = Value::from(value.as_str());
            metadata["labels"][format!("batch.kubernetes.io/{key}")] = Value::from(value.as_str());
        }
    }
    or(spec, "selector", json!({}));
    or(&mut spec["selector"], "matchLabels", json!({}));
    spec["selector"]["matchLabels"]["batch.kubernetes.io/controller-uid"] = Value::from(uid);
    let labels = object.pointer("/spec/template/metadata/labels").cloned();
    if let Some(labels) = labels
        && object
            .pointer("/metadata/labels")
            .is_none_or(|labels| labels == &json!({}))
    {
        meta::set(object, "labels", labels);
    }
}

fn job_spec(spec: &mut Value) {
    template(spec);
    if !is_set(spec, "completions") && !is_set(spec, "parallelism") {
        spec["completions"] = json!(1);
    }
    or(spec, "parallelism", json!(1));
    let backoff = if is_set(spec, "backoffLimitPerIndex") {
        i32::MAX
    } else {
        6
    };
    or(spec, "backoffLimit", json!(backoff));
    or(spec, "completionMode", json!("NonIndexed"));
    or(spec, "suspend", json!(false));
    or(spec, "manualSelector", json!(false));
    let replaced = if is_set(spec, "podFailurePolicy") {
        "Failed"
    } else {
        "TerminatingOrFailed"
    };
    or(spec, "podReplacementPolicy", json!(replaced));
}

pub(crate) fn cron_job(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        or(spec, "concurrencyPolicy", json!("Allow"));
        or(spec, "suspend", json!(false));
        or(spec, "successfulJobsHistoryLimit", json!(3));
        or(spec, "failedJobsHistoryLimit", json!(1));
        if let Some(template) = part(spec, "jobTemplate") {
            or(template, "metadata", json!({}));
            if let Some(job) = part(template, "spec") {
                pods::template(job);
            }
        }
    }
    or(object, "status", json!({}));
}
