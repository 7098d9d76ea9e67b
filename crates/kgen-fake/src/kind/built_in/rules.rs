//! The validation of built-in kinds: metadata, required fields, and the rules that operators meet.

use kgen_schema::{ErrorKind, FieldError, names};
use serde_json::Value;

use super::Row;

/// Returns the mistakes in a name; the second argument is `true` if something is appended to it.
pub(super) type NameRule = fn(&str, bool) -> Vec<String>;

/// Returns the rule for names of a kind.
pub(super) fn name_rule(row: &Row) -> NameRule {
    match row.served.kind.as_str() {
        "Namespace" | "Service" => |name, is_prefix| {
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
pub(crate) fn validate(row: &Row, object: &Value, old: Option<&Value>) -> Vec<FieldError> {
    let mut errors = super::metadata_errors(row, object, old);
    if old.is_some() {
        // Both the server and the kind validate the metadata of an update.
        errors.extend(errors.clone());
    }
    if row.served.kind == "Deployment" && old.is_some_and(|old| old.get("status") != object.get("status")) {
        replica_counts(object, &mut errors);
    }
    match row.served.kind.as_str() {
        "ConfigMap" => config_map(object, old, &mut errors),
        "Secret" => secret(object, old, &mut errors),
        "Deployment" | "ReplicaSet" | "DaemonSet" | "StatefulSet" => workload(row, object, old, &mut errors),
        "Role" | "ClusterRole" => role(row, object, &mut errors),
        "CustomResourceDefinition" => crate::kind::definition::validate(object, old, &mut errors),
        "Pod" => pod_spec(object.get("spec"), "spec", &mut errors),
        "Service" => service(object, &mut errors),
        "Lease" => lease(object, &mut errors),
        _ => {}
    }
    if let Some(schema) = row
        .schema()
        .filter(|_| row.served.kind != "CustomResourceDefinition")
    {
        super::required::check(schema, object, &mut errors);
    }
    errors
}

fn required(field: impl Into<String>, detail: &str) -> FieldError {
    FieldError::new(ErrorKind::Required, field, detail)
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

/// Immutable data cannot change, and cannot become mutable.
fn immutable(object: &Value, old: Option<&Value>, parts: &[&str], errors: &mut Vec<FieldError>) {
    let Some(old) = old.filter(|old| old.get("immutable") == Some(&Value::Bool(true))) else {
        return;
    };
    let detail = "field is immutable when `immutable` is set";
    if object.get("immutable") != Some(&Value::Bool(true)) {
        errors.push(FieldError::new(ErrorKind::Forbidden, "immutable", detail));
    }
    for part in parts {
        if object.get(part) != old.get(part) {
            errors.push(FieldError::new(ErrorKind::Forbidden, *part, detail));
        }
    }
}

fn config_map(object: &Value, old: Option<&Value>, errors: &mut Vec<FieldError>) {
    immutable(object, old, &["data", "binaryData"], errors);
    data_keys(object, "data", errors);
    data_keys(object, "binaryData", errors);
}

fn secret(object: &Value, old: Option<&Value>, errors: &mut Vec<FieldError>) {
    if let Some(old) = old
        && object.get("type") != old.get("type")
    {
        let value = object.get("type").and_then(Value::as_str).unwrap_or_default();
        errors.push(FieldError::new(ErrorKind::Invalid, "type", "field is immutable").with_value(value));
    }
    immutable(object, old, &["data"], errors);
    data_keys(object, "data", errors);
    if object.get("type").and_then(Value::as_str) == Some("kubernetes.io/tls") {
        for key in ["tls.crt", "tls.key"] {
            if object.pointer(&format!("/data/{key}")).is_none() {
                errors.push(required(format!("data[{key}]"), ""));
            }
        }
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

fn workload(row: &Row, object: &Value, old: Option<&Value>, errors: &mut Vec<FieldError>) {
    let spec = object.get("spec");
    let selector = spec.and_then(|spec| spec.get("selector"));
    match selector {
        None | Some(Value::Null) => errors.push(required("spec.selector", "")),
        Some(selector) => {
            let is_empty = selector
                .as_object()
                .is_none_or(|parts| parts.values().all(is_empty));
            if is_empty {
                let error = FieldError::new(
                    ErrorKind::Invalid,
                    "spec.selector",
                    format!("empty selector is invalid for {}", row.served.singular),
                );
                errors.push(error.with_value(&serde_json::json!({})));
            }
        }
    }
    {
        let template = spec
            .and_then(|spec| spec.get("template"))
            .cloned()
            .unwrap_or_default();
        // A selector that is missing matches nothing.
        let matches = selector
            .filter(|selector| selector.is_object())
            .is_some_and(|selector| crate::selector::LabelSelector::from_json(selector).matches(&template));
        if !matches {
            let labels = template
                .pointer("/metadata/labels")
                .filter(|labels| !is_empty(labels))
                .cloned()
                .unwrap_or(Value::Null);
            let detail = "`selector` does not match template `labels`";
            let error = FieldError::new(ErrorKind::Invalid, "spec.template.metadata.labels", detail);
            errors.push(error.with_value(&labels));
        }
    }
    pod_spec(
        spec.and_then(|spec| spec.pointer("/template/spec")),
        "spec.template.spec",
        errors,
    );
    let before = old.and_then(|old| old.pointer("/spec/selector"));
    if let (Some(before), Some(selector)) = (before, selector)
        && before != selector
    {
        let error = FieldError::new(ErrorKind::Invalid, "spec.selector", "field is immutable");
        errors.push(error.with_value(selector));
    }
    let replicas = spec.and_then(|spec| spec.get("replicas")).and_then(Value::as_i64);
    if let Some(replicas) = replicas.filter(|replicas| *replicas < 0) {
        let error = FieldError::new(
            ErrorKind::Invalid,
            "spec.replicas",
            "must be greater than or equal to 0",
        );
        errors.push(error.with_value(&replicas));
    }
}

/// The numbers of replicas in a status cannot contradict each other.
fn replica_counts(object: &Value, errors: &mut Vec<FieldError>) {
    let count = |key: &str| {
        object
            .pointer(&format!("/status/{key}"))
            .and_then(Value::as_i64)
            .unwrap_or(0)
    };
    let mut check = |key: &str, most: i64, detail: &str| {
        if count(key) > most {
            let error = FieldError::new(ErrorKind::Invalid, format!("status.{key}"), detail);
            errors.push(error.with_value(&count(key)));
        }
    };
    for key in ["updatedReplicas", "readyReplicas", "availableReplicas"] {
        check(key, count("replicas"), "cannot be greater than status.replicas");
    }
    check(
        "availableReplicas",
        count("readyReplicas"),
        "cannot be greater than readyReplicas",
    );
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(entries) => entries.is_empty(),
        Value::Array(items) => items.is_empty(),
        other => other.is_null(),
    }
}

fn pod_spec(spec: Option<&Value>, field: &str, errors: &mut Vec<FieldError>) {
    let containers = spec
        .and_then(|spec| spec.get("containers"))
        .and_then(Value::as_array);
    let Some(containers) = containers.filter(|containers| !containers.is_empty()) else {
        errors.push(required(format!("{field}.containers"), ""));
        return;
    };
    let mut seen = Vec::new();
    for (index, container) in containers.iter().enumerate() {
        let text = |key: &str| container.get(key).and_then(Value::as_str).unwrap_or_default();
        let at = format!("{field}.containers[{index}]");
        let name = text("name");
        if name.is_empty() {
            errors.push(required(format!("{at}.name"), ""));
        } else {
            for mistake in names::label_mistakes(name) {
                errors.push(
                    FieldError::new(ErrorKind::Invalid, format!("{at}.name"), mistake).with_value(name),
                );
            }
        }
        if seen.contains(&name) && !name.is_empty() {
            errors.push(FieldError::new(ErrorKind::Duplicate, format!("{at}.name"), "").with_value(name));
        }
        seen.push(name);
        if text("image").is_empty() {
            errors.push(required(format!("{at}.image"), ""));
        }
    }
}

fn service(object: &Value, errors: &mut Vec<FieldError>) {
    let spec = object.get("spec");
    let text = |key: &str| {
        spec.and_then(|spec| spec.get(key))
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let ports = spec.and_then(|spec| spec.get("ports")).and_then(Value::as_array);
    let is_headless = text("clusterIP") == "None";
    if ports.is_none_or(Vec::is_empty) && !is_headless && text("type") != "ExternalName" {
        errors.push(required("spec.ports", ""));
    }
    for (index, port) in ports.into_iter().flatten().enumerate() {
        let number = port.get("port").and_then(Value::as_i64).unwrap_or(0);
        if !(1..=65535).contains(&number) {
            let error = FieldError::new(
                ErrorKind::Invalid,
                format!("spec.ports[{index}].port"),
                "must be between 1 and 65535, inclusive",
            );
            errors.push(error.with_value(&number));
        }
    }
}

fn role(row: &Row, object: &Value, errors: &mut Vec<FieldError>) {
    let rules = object.get("rules").and_then(Value::as_array);
    for (index, rule) in rules.into_iter().flatten().enumerate() {
        let is_missing = |key: &str| rule.get(key).and_then(Value::as_array).is_none_or(Vec::is_empty);
        let field = |key: &str| format!("rules[{index}].{key}");
        if is_missing("verbs") {
            errors.push(required(field("verbs"), "verbs must contain at least one value"));
        }
        if !is_missing("nonResourceURLs") {
            if row.served.kind == "Role" {
                let detail = "namespaced rules cannot apply to non-resource URLs";
                let value = rule.get("nonResourceURLs").cloned().unwrap_or_default();
                let error = FieldError::new(ErrorKind::Invalid, field("nonResourceURLs"), detail);
                errors.push(error.with_value(&value));
            }
            continue;
        }
        if is_missing("apiGroups") {
            errors.push(required(
                field("apiGroups"),
                "resource rules must supply at least one api group",
            ));
        }
        if is_missing("resources") {
            errors.push(required(
                field("resources"),
                "resource rules must supply at least one resource",
            ));
        }
    }
}
