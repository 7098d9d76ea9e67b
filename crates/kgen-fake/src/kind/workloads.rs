//! The defaults of built-in kinds that exist only in the Go code of Kubernetes.
//!
//! Each function fills in one kind. They use `or`, which sets a field that is missing.

use serde_json::{Map, Value, json};

use super::remove;
use crate::meta;

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

pub(crate) fn endpoints(object: &mut Value) {
    each(object, "subsets", |subset| {
        each(subset, "ports", |port| or(port, "protocol", json!("TCP")));
    });
}

pub(crate) fn claim(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        or(spec, "volumeMode", json!("Filesystem"));
        or(spec, "resources", json!({}));
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
    }
}

pub(crate) fn service(object: &mut Value) {
    if !object.get("spec").is_some_and(Value::is_object) {
        object["spec"] = json!({});
    }
    let Some(spec) = part(object, "spec") else { return };
    or(spec, "sessionAffinity", json!("None"));
    or(spec, "type", json!("ClusterIP"));
    if spec["sessionAffinity"] == "ClientIP" {
        or(
            spec,
            "sessionAffinityConfig",
            json!({"clientIP": {"timeoutSeconds": 10800}}),
        );
    }
    each(spec, "ports", |port| {
        or(port, "protocol", json!("TCP"));
        let number = port.get("port").cloned();
        let is_missing = port
            .get("targetPort")
            .is_none_or(|target| target == 0 || target == "");
        if let Some(number) = number.filter(|_| is_missing) {
            port["targetPort"] = number;
        }
    });
    let kind = spec["type"].clone();
    if kind != "ExternalName" {
        or(spec, "internalTrafficPolicy", json!("Cluster"));
    }
    if kind == "NodePort" || kind == "LoadBalancer" {
        or(spec, "externalTrafficPolicy", json!("Cluster"));
    }
    if kind == "LoadBalancer" {
        or(spec, "allocateLoadBalancerNodePorts", json!(true));
    }
    or(object, "status", json!({"loadBalancer": {}}));
}

pub(crate) fn new_service(object: &mut Value) {
    object["status"] = json!({"loadBalancer": {}});
}

pub(crate) fn role(object: &mut Value) {
    if object.get("rules").is_none() {
        object["rules"] = Value::Null;
    }
}

pub(crate) fn binding(object: &mut Value) {
    if let Some(role) = part(object, "roleRef") {
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

pub(crate) fn network_policy(object: &mut Value) {
    let Some(spec) = part(object, "spec") else { return };
    for key in ["ingress", "egress"] {
        each(spec, key, |rule| {
            each(rule, "ports", |port| or(port, "protocol", json!("TCP")))
        });
    }
    let has_egress = spec
        .get("egress")
        .and_then(Value::as_array)
        .is_some_and(|rules| !rules.is_empty());
    let types = if has_egress {
        json!(["Ingress", "Egress"])
    } else {
        json!(["Ingress"])
    };
    or(spec, "policyTypes", types);
    or(spec, "podSelector", json!({}));
}

pub(crate) fn new_ingress(object: &mut Value) {
    object["status"] = json!({"loadBalancer": {}});
}

pub(crate) fn new_autoscaler(object: &mut Value) {
    object["status"] = json!({"desiredReplicas": 0, "currentMetrics": null});
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

fn pod_spec(spec: &mut Value) {
    or(spec, "dnsPolicy", json!("ClusterFirst"));
    or(spec, "restartPolicy", json!("Always"));
    or(spec, "terminationGracePeriodSeconds", json!(30));
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
    let is_latest = !image.contains('@') && last.split_once(':').is_none_or(|(_, tag)| tag == "latest");
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
fn template(spec: &mut Value) {
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

pub(crate) fn new_pod(object: &mut Value) {
    // The plugins that the server has by default add these.
    if let Some(spec) = part(object, "spec") {
        or(spec, "preemptionPolicy", json!("PreemptLowerPriority"));
        or(spec, "priority", json!(0));
        let tolerations = json!([
            {"effect": "NoExecute", "key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": 300},
            {"effect": "NoExecute", "key": "node.kubernetes.io/unreachable", "operator": "Exists", "tolerationSeconds": 300},
        ]);
        or(spec, "tolerations", tolerations);
    }
    let class = quality_of_service(object);
    object["status"] = json!({"phase": "Pending", "qosClass": class});
}

/// Returns the quality of service that the resources of the containers lead to.
fn quality_of_service(pod: &Value) -> &'static str {
    let containers = pod.pointer("/spec/containers").and_then(Value::as_array);
    let containers: Vec<&Value> = containers.into_iter().flatten().collect();
    let amounts = |container: &Value, key: &str| container.pointer(&format!("/resources/{key}")).cloned();
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
        or(
            spec,
            "persistentVolumeClaimRetentionPolicy",
            json!({"whenDeleted": "Retain", "whenScaled": "Retain"}),
        );
        or(spec, "replicas", json!(1));
        or(spec, "revisionHistoryLimit", json!(10));
        or(spec, "serviceName", json!(""));
        each(spec, "volumeClaimTemplates", |template| {
            claim(template);
            or(template, "status", json!({"phase": "Pending"}));
            or(template, "apiVersion", json!("v1"));
            or(template, "kind", json!("PersistentVolumeClaim"));
        });
    }
}

pub(crate) fn new_stateful_set(object: &mut Value) {
    object["status"] = json!({"replicas": 0, "availableReplicas": 0});
}

pub(crate) fn daemon_set(object: &mut Value) {
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
            annotations.insert("deprecated.daemonset.template.generation".to_owned(), json!("1"));
        });
}

pub(crate) fn job(object: &mut Value) {
    if let Some(spec) = part(object, "spec") {
        job_spec(spec);
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
    or(spec, "backoffLimit", json!(6));
    or(spec, "completionMode", json!("NonIndexed"));
    or(spec, "suspend", json!(false));
    or(spec, "manualSelector", json!(false));
    or(spec, "podReplacementPolicy", json!("TerminatingOrFailed"));
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
                self::template(job);
            }
        }
    }
    or(object, "status", json!({}));
}
