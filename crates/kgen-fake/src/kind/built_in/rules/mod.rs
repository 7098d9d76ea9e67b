//! The validation of built-in kinds: metadata, required fields, and the rules that operators meet.

use kgen_schema::{ErrorKind, FieldError, names};
use serde_json::Value;

use super::Row;

mod amounts;
mod containers;
mod errors;
mod events;
mod jobs;
mod network;
mod nodes;
mod pods;
mod roles;
mod schedule;
mod storage;
pub(crate) mod warnings;
mod webhooks;
mod workloads;

use errors::{immutable_data, required};

/// Returns the mistakes in a name; the second argument is `true` if something is appended to it.
pub(super) type NameRule = fn(&str, bool) -> Vec<String>;

/// Returns the rule for names of a kind.
pub(super) fn name_rule(row: &Row) -> NameRule {
    match row.served.kind.as_str() {
        "Namespace" | "Service" | "StatefulSet" => |name, is_prefix| {
            let name = if is_prefix {
                names::masked(name)
            } else {
                name.to_owned()
            };
            names::label_mistakes(&name)
        },
        "Role" | "RoleBinding" | "ClusterRole" | "ClusterRoleBinding" | "PodDisruptionBudget" => {
            |name, _| names::path_segment_mistakes(name, false)
        }
        _ => |name, is_prefix| {
            let name = if is_prefix {
                names::masked(name)
            } else {
                name.to_owned()
            };
            names::subdomain_mistakes(&name)
        },
    }
}

/// Validates a new or a changed object.
pub(crate) fn validate(row: &Row, object: &Value, old: Option<&Value>, is_status: bool) -> Vec<FieldError> {
    let mut errors = super::metadata_errors(row, object, old);
    if old.is_some() {
        // Both the server and the kind validate the metadata of an update.
        errors.extend(errors.clone());
    }
    if is_status {
        workloads::status(&row.served.kind, object, &mut errors);
        network::status(object, &mut errors);
        if row.served.kind == "Namespace" {
            phase(object, &mut errors);
        }
    } else {
        main(row, object, old, &mut errors);
    }
    for _ in 0..finalizer_checks(row, old.is_some()) {
        finalizers(object, &mut errors);
    }
    if let Some(schema) = row
        .schema()
        .filter(|_| row.served.kind != "CustomResourceDefinition")
    {
        super::required::check(schema, object, &mut errors);
    }
    errors
}

/// Validates everything but the status.
fn main(row: &Row, object: &Value, old: Option<&Value>, errors: &mut Vec<FieldError>) {
    let spec = object.get("spec");
    match row.served.kind.as_str() {
        "ConfigMap" => config_map(object, old, errors),
        "Secret" => secret(object, old, errors),
        "Deployment" | "ReplicaSet" | "DaemonSet" | "StatefulSet" => {
            workloads::workload(row, object, old, errors);
        }
        "ReplicationController" => workloads::replication_controller(object, errors),
        "PodTemplate" => pods::spec(object.pointer("/template/spec"), "template.spec", errors),
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
            webhooks::configuration(object, errors)
        }
        "Node" => nodes::node(object, old, errors),
        "ControllerRevision" => workloads::revision(object, old, errors),
        "Job" => jobs::job(object, old, errors),
        "CronJob" => jobs::cron_job(object, old, errors),
        "HorizontalPodAutoscaler" => workloads::autoscaler(object, errors),
        "PodDisruptionBudget" => workloads::budget(object, errors),
        "Role" | "ClusterRole" => roles::role(row, object, errors),
        "RoleBinding" | "ClusterRoleBinding" => roles::binding(row, object, old, errors),
        "CustomResourceDefinition" => crate::kind::definition::validate(object, old, errors),
        "Pod" => {
            pods::spec(spec, "spec", errors);
            match old {
                Some(old) => pods::change(object, old, errors),
                None => pods::new(object, errors),
            }
        }
        "Service" => network::service(object, old, errors),
        "Endpoints" => network::endpoints(object, errors),
        "EndpointSlice" => network::slice(object, old, errors),
        "Ingress" => network::ingress(object, errors),
        "IngressClass" => network::class(object, old, errors),
        "NetworkPolicy" => network::policy(object, errors),
        "Lease" => lease(object, errors),
        "Event" => events::event(row, object, old, errors),
        "PersistentVolumeClaim" => storage::claim(object, old, errors),
        "PersistentVolume" => storage::volume(object, old, errors),
        "StorageClass" => storage::class(object, old, errors),
        "PriorityClass" => storage::priority(object, old, errors),
        "RuntimeClass" => storage::runtime(object, old, errors),
        _ => {}
    }
}

/// Returns how often a server checks the finalizers of a kind: some kinds validate the metadata of an update twice, and some
/// only as custom kinds do.
fn finalizer_checks(row: &Row, is_update: bool) -> usize {
    match (row.served.group.as_str(), row.served.kind.as_str()) {
        ("", "Event")
        | (
            "admissionregistration.k8s.io"
            | "apiextensions.k8s.io"
            | "coordination.k8s.io"
            | "node.k8s.io"
            | "policy",
            _,
        ) => 0,
        ("", "Service" | "LimitRange" | "ResourceQuota" | "PodTemplate" | "ReplicationController")
        | ("apps", "Deployment" | "ReplicaSet" | "StatefulSet" | "DaemonSet")
        | ("networking.k8s.io", "NetworkPolicy" | "ServiceCIDR")
        | ("storage.k8s.io", "CSIDriver" | "CSINode" | "VolumeAttachment")
        | ("batch", "CronJob")
        | ("autoscaling" | "discovery.k8s.io" | "events.k8s.io" | "scheduling.k8s.io", _) => 1,
        _ if is_update => 2,
        _ => 1,
    }
}

/// Checks that finalizers of built-in kinds have a domain, unless Kubernetes defines them.
fn finalizers(object: &Value, errors: &mut Vec<FieldError>) {
    for (index, name) in crate::meta::finalizers(object).into_iter().enumerate() {
        if !name.contains('/') && !matches!(name, "kubernetes" | "orphan" | "foregroundDeletion") {
            let detail = "name is neither a standard finalizer name nor is it fully qualified";
            errors::invalid(errors, format!("metadata.finalizers[{index}]"), name, detail);
        }
    }
}

/// The most bytes in all entries of a ConfigMap or a Secret.
const MOST_BYTES: usize = 1_048_576;
const TOO_LONG: &str = "may not be more than 1048576 bytes";

/// Returns the number of bytes in the texts of an object, or in the bytes that they mean.
fn bytes(object: &Value, key: &str, is_base64: bool) -> usize {
    let texts = entries(object, key).map(|(_, value)| value.as_str().unwrap_or_default());
    let length = |text: &str| match is_base64 {
        true => text.len() / 4 * 3 - text.bytes().rev().take_while(|byte| *byte == b'=').count(),
        false => text.len(),
    };
    texts.map(length).sum()
}

/// The phase of a namespace says whether it is being deleted.
fn phase(object: &Value, errors: &mut Vec<FieldError>) {
    let phase = object
        .pointer("/status/phase")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let is_deleted = crate::meta::is_being_deleted(object);
    let detail = match (is_deleted, phase) {
        (false, phase) if phase != "Active" => "may only be 'Active' if `deletionTimestamp` is empty",
        (true, phase) if phase != "Terminating" => {
            "may only be 'Terminating' if `deletionTimestamp` is not empty"
        }
        _ => return,
    };
    errors::invalid(errors, "status.Phase", phase, detail);
}

fn entries<'o>(object: &'o Value, key: &str) -> impl Iterator<Item = (&'o String, &'o Value)> {
    object.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn data_keys(object: &Value, key: &str, errors: &mut Vec<FieldError>) {
    for (name, _) in entries(object, key) {
        for mistake in names::config_key_mistakes(name) {
            let field = format!("{key}[{name}]");
            errors.push(FieldError::new(ErrorKind::Invalid, field, mistake).with_value(name));
        }
    }
}

fn config_map(object: &Value, old: Option<&Value>, errors: &mut Vec<FieldError>) {
    for (key, _) in entries(object, "data") {
        if entries(object, "binaryData").any(|(other, _)| other == key) {
            let field = format!("data[{key}]");
            let detail = "duplicate of key present in binaryData";
            errors.push(FieldError::new(ErrorKind::Invalid, field, detail).with_value(key));
        }
    }
    immutable_data(object, old, &["data", "binaryData"], errors);
    data_keys(object, "data", errors);
    data_keys(object, "binaryData", errors);
    if bytes(object, "data", false) + bytes(object, "binaryData", true) > MOST_BYTES {
        // The path of the whole object is empty, and is written as a list.
        errors.push(FieldError::new(ErrorKind::TooLong, "[]", TOO_LONG));
    }
}

fn secret(object: &Value, old: Option<&Value>, errors: &mut Vec<FieldError>) {
    if let Some(old) = old
        && object.get("type") != old.get("type")
    {
        let value = object.get("type").and_then(Value::as_str).unwrap_or_default();
        errors.push(FieldError::new(ErrorKind::Invalid, "type", "field is immutable").with_value(value));
    }
    immutable_data(object, old, &["data"], errors);
    data_keys(object, "data", errors);
    if bytes(object, "data", true) > MOST_BYTES {
        errors.push(FieldError::new(ErrorKind::TooLong, "data", TOO_LONG));
    }
    let has = |key: &str| object.get("data").is_some_and(|data| data.get(key).is_some());
    let keys: &[&str] = match errors::text(object, "type") {
        "kubernetes.io/tls" => &["tls.crt", "tls.key"],
        "kubernetes.io/dockercfg" => &[".dockercfg"],
        "kubernetes.io/dockerconfigjson" => &[".dockerconfigjson"],
        "kubernetes.io/ssh-auth" => &["ssh-privatekey"],
        // One of them is enough.
        "kubernetes.io/basic-auth" if !has("username") && !has("password") => &["username", "password"],
        _ => &[],
    };
    for key in keys.iter().filter(|key| !has(key)) {
        required(errors, format!("data[{key}]"), "");
    }
    let account = "kubernetes.io/service-account.name";
    let annotations = crate::meta::of(object).get("annotations");
    let has_account = annotations.is_some_and(|annotations| annotations.get(account).is_some());
    if errors::text(object, "type") == "kubernetes.io/service-account-token" && !has_account {
        required(errors, format!("metadata.annotations[{account}]"), "");
    }
}

fn lease(object: &Value, errors: &mut Vec<FieldError>) {
    let seconds = object
        .pointer("/spec/leaseDurationSeconds")
        .and_then(Value::as_i64);
    if let Some(seconds) = seconds.filter(|seconds| *seconds <= 0) {
        let error = FieldError::new(
            ErrorKind::Invalid,
            "spec.leaseDurationSeconds",
            "must be greater than 0",
        );
        errors.push(error.with_value(&seconds));
    }
}
