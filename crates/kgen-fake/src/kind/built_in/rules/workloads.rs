//! Rules of workloads, and of what scales or protects them.

use kgen_schema::{FieldError, names};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::Row;
use super::errors::{
    Errors, forbidden, has, invalid, is_empty, items, named, not_negative, one_of, required, selector, share,
    text, unchanged,
};
use super::{pods, storage};

/// The fields of a StatefulSet that an update can change.
const CHANGEABLE: [&str; 7] = [
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
];

/// A strategy of an unknown type, as Go prints it.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Strategy<'o> {
    r#type: &'o str,
    rolling_update: Option<Value>,
}

/// A budget as Go prints it.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Budget<'o> {
    min_available: Option<&'o Value>,
    selector: Option<&'o Value>,
    max_unavailable: Option<&'o Value>,
    unhealthy_pod_eviction_policy: Option<&'o Value>,
}

/// An update of a StatefulSet as Go prints it.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct RollingUpdate<'o> {
    partition: i64,
    max_unavailable: Option<&'o Value>,
}

pub(super) fn workload(row: &Row, object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let kind = row.served.kind.as_str();
    select(row, spec, errors);
    let numbers = [
        "replicas",
        "minReadySeconds",
        "revisionHistoryLimit",
        "progressDeadlineSeconds",
    ];
    not_negative(errors, spec, "spec", &numbers);
    let template = spec.pointer("/template/spec");
    let mut template_errors = Vec::new();
    pods::spec(template, "spec.template.spec", &mut template_errors);
    if kind == "StatefulSet" {
        // Volumes of the claim templates can be mounted, too.
        let claims: Vec<&str> = items(spec, "volumeClaimTemplates")
            .iter()
            .filter_map(|claim| claim.pointer("/metadata/name").and_then(Value::as_str))
            .collect();
        template_errors.retain(|error| {
            error.kind() != kgen_schema::ErrorKind::NotFound
                || !claims
                    .iter()
                    .any(|claim| error.body().contains(&format!("\"{claim}\"")))
        });
    }
    errors.append(&mut template_errors);
    if let Some(template) = template.filter(|template| template.is_object()) {
        let field = "spec.template.spec.restartPolicy";
        let policy = text(template, "restartPolicy");
        if policy != "Always" {
            errors.push(FieldError::not_supported(field, policy, &["Always"]));
        }
        if has(template, "activeDeadlineSeconds") {
            let kind = if kind == "Deployment" { "ReplicaSet" } else { kind };
            let detail = format!("activeDeadlineSeconds in {kind} is not Supported");
            forbidden(errors, "spec.template.spec.activeDeadlineSeconds", detail);
        }
    }
    match kind {
        "Deployment" => deployment(spec, errors),
        "DaemonSet" => daemon_set(spec, errors),
        "StatefulSet" => stateful_set(spec, old, errors),
        _ => {}
    }
    let Some(old) = old.and_then(|old| old.get("spec")) else {
        return;
    };
    if kind != "StatefulSet" {
        unchanged(errors, "spec.selector", spec.get("selector"), old.get("selector"));
        return;
    }
    let fixed = |spec: &Value| {
        let mut spec = spec.clone();
        for key in CHANGEABLE {
            crate::kind::remove(&mut spec, key);
        }
        spec
    };
    if fixed(spec) != fixed(old) {
        let detail = "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', \
                      'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
        forbidden(errors, "spec", detail);
    }
}

/// Checks the selector, and that it matches the template.
fn select(row: &Row, spec: &Value, errors: &mut Errors) {
    let kind = row.served.kind.as_str();
    let template = spec.get("template").cloned().unwrap_or_default();
    let wanted = spec.get("selector").filter(|selector| selector.is_object());
    let mut matches = false;
    match wanted {
        None if kind == "DaemonSet" => {}
        None => required(errors, "spec.selector", ""),
        Some(wanted) => {
            let is_valid = selector(errors, wanted, "spec.selector");
            if wanted
                .as_object()
                .is_none_or(|parts| parts.values().all(is_empty))
            {
                let singular = if kind == "ReplicaSet" {
                    "deployment"
                } else {
                    &row.served.singular
                };
                let detail = format!("empty selector is invalid for {singular}");
                invalid(errors, "spec.selector", &json!({}), detail);
                matches = kind != "DaemonSet";
            }
            if !is_valid && kind != "DaemonSet" {
                let detail = if kind == "StatefulSet" {
                    ""
                } else {
                    "invalid label selector"
                };
                invalid(errors, "spec.selector", wanted, detail);
                return;
            }
            matches |= crate::selector::LabelSelector::from_json(wanted).matches(&template);
        }
    }
    if !matches {
        let labels = template
            .pointer("/metadata/labels")
            .filter(|labels| !is_empty(labels))
            .cloned()
            .unwrap_or(Value::Null);
        let detail = "`selector` does not match template `labels`";
        invalid(errors, "spec.template.metadata.labels", &labels, detail);
    }
}

fn deployment(spec: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let strategy = spec.get("strategy").unwrap_or(&nothing);
    let update = strategy.get("rollingUpdate").filter(|update| update.is_object());
    match (text(strategy, "type"), update) {
        ("Recreate", Some(_)) => {
            let detail = "may not be specified when strategy `type` is 'Recreate'";
            forbidden(errors, "spec.strategy.rollingUpdate", detail);
        }
        ("RollingUpdate", Some(update)) => {
            let (unavailable, surge) = (update.get("maxUnavailable"), update.get("maxSurge"));
            let field = "spec.strategy.rollingUpdate.maxUnavailable";
            let most = share(errors, field, unavailable);
            let more = share(errors, "spec.strategy.rollingUpdate.maxSurge", surge);
            if most.value == 0 && more.value == 0 {
                let value = unavailable.cloned().unwrap_or_default();
                invalid(errors, field, &value, "may not be 0 when `maxSurge` is 0");
            }
            most.is_not_more_than_all(errors, field, unavailable);
        }
        ("Recreate" | "RollingUpdate", None) => {}
        (other, _) => unknown_strategy(errors, "spec.strategy", other, &["Recreate", "RollingUpdate"]),
    }
    let number = |key: &str| spec.get(key).and_then(Value::as_i64);
    if let Some(deadline) = number("progressDeadlineSeconds")
        && deadline <= number("minReadySeconds").unwrap_or(0)
    {
        let detail = "must be greater than minReadySeconds";
        invalid(errors, "spec.progressDeadlineSeconds", &deadline, detail);
    }
}

fn unknown_strategy(errors: &mut Errors, field: &str, name: &str, supported: &[&str]) {
    let strategy = Strategy {
        r#type: name,
        rolling_update: None,
    };
    errors.push(FieldError::not_supported(field, &strategy, supported));
}

fn daemon_set(spec: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let strategy = spec.get("updateStrategy").unwrap_or(&nothing);
    match (text(strategy, "type"), strategy.get("rollingUpdate")) {
        ("OnDelete", _) => {}
        ("RollingUpdate", update) => {
            let update = update.unwrap_or(&nothing);
            let at = |key: &str| format!("spec.updateStrategy.rollingUpdate.{key}");
            let (unavailable, surge) = (update.get("maxUnavailable"), update.get("maxSurge"));
            let most = share(errors, &at("maxUnavailable"), unavailable);
            let more = share(errors, &at("maxSurge"), surge);
            most.is_not_more_than_all(errors, &at("maxUnavailable"), unavailable);
            more.is_not_more_than_all(errors, &at("maxSurge"), surge);
            match (most.value, more.value) {
                (0, 0) => required(errors, at("maxUnavailable"), "cannot be 0 when maxSurge is 0"),
                (0, _) | (_, 0) => {}
                _ => {
                    let value = surge.cloned().unwrap_or_default();
                    let detail = "may not be set when maxUnavailable is non-zero";
                    invalid(errors, at("maxSurge"), &value, detail);
                }
            }
        }
        (other, _) => unknown_strategy(
            errors,
            "spec.updateStrategy",
            other,
            &["RollingUpdate", "OnDelete"],
        ),
    }
}

fn stateful_set(spec: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let policy = text(spec, "podManagementPolicy");
    if !matches!(policy, "OrderedReady" | "Parallel") {
        let detail = "must be 'OrderedReady' or 'Parallel'";
        invalid(errors, "spec.podManagementPolicy", policy, detail);
    }
    let strategy = spec.get("updateStrategy").unwrap_or(&nothing);
    let update = strategy.get("rollingUpdate").filter(|update| update.is_object());
    match (text(strategy, "type"), update) {
        ("OnDelete", Some(update)) => {
            let partition = update.get("partition").and_then(Value::as_i64).unwrap_or(0);
            let value = RollingUpdate {
                partition,
                max_unavailable: update.get("maxUnavailable"),
            };
            let detail = "only allowed for updateStrategy 'RollingUpdate'";
            invalid(errors, "spec.updateStrategy.rollingUpdate", &value, detail);
        }
        ("RollingUpdate", Some(update)) => {
            not_negative(
                errors,
                update,
                "spec.updateStrategy.rollingUpdate",
                &["partition"],
            );
        }
        ("OnDelete" | "RollingUpdate", None) => {}
        (other, _) => {
            let value = Strategy {
                r#type: other,
                rolling_update: None,
            };
            let detail = "must be 'RollingUpdate' or 'OnDelete'";
            invalid(errors, "spec.updateStrategy", &value, detail);
        }
    }
    let retention = spec
        .get("persistentVolumeClaimRetentionPolicy")
        .unwrap_or(&nothing);
    for key in ["whenDeleted", "whenScaled"] {
        let policy = text(retention, key);
        if retention.is_object() && !matches!(policy, "Retain" | "Delete") {
            let field = format!("spec.persistentVolumeClaimRetentionPolicy.{key}");
            errors.push(FieldError::not_supported(field, policy, &["Retain", "Delete"]));
        }
    }
    if let Some(ordinals) = spec.get("ordinals") {
        not_negative(errors, ordinals, "spec.ordinals", &["start"]);
    }
    if old.is_some() {
        return;
    }
    for (index, claim) in items(spec, "volumeClaimTemplates").iter().enumerate() {
        let field = format!("spec.volumeClaimTemplates[{index}].spec");
        storage::claim_spec(claim.get("spec").unwrap_or(&nothing), &field, errors);
    }
    let name = text(spec, "serviceName");
    if !name.is_empty() {
        named(errors, "spec.serviceName", name, names::label_mistakes(name));
    }
}

pub(super) fn replication_controller(object: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    not_negative(errors, spec, "spec", &["replicas", "minReadySeconds"]);
    let selector = spec.get("selector").and_then(Value::as_object);
    if selector.is_none_or(serde_json::Map::is_empty) {
        required(errors, "spec.selector", "");
    }
    let Some(template) = spec.get("template").filter(|template| template.is_object()) else {
        required(errors, "spec.template", "");
        return;
    };
    let labels = template.pointer("/metadata/labels");
    let matches = |(key, value): (&String, &Value)| labels.and_then(|labels| labels.get(key)) == Some(value);
    if !selector.into_iter().flatten().all(matches) {
        let labels = labels.cloned().unwrap_or_default();
        let detail = "`selector` does not match template `labels`";
        invalid(errors, "spec.template.metadata.labels", &labels, detail);
    }
    pods::spec(template.get("spec"), "spec.template.spec", errors);
    let policy = template
        .pointer("/spec/restartPolicy")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if policy != "Always" {
        let field = "spec.template.spec.restartPolicy";
        errors.push(FieldError::not_supported(field, policy, &["Always"]));
    }
}

/// The numbers in a status cannot contradict each other.
pub(super) fn status(kind: &str, object: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let status = object.get("status").unwrap_or(&nothing);
    let count = |key: &str| status.get(key).and_then(Value::as_i64).unwrap_or(0);
    let keys: Vec<&String> = status
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, value)| value.is_number())
        .map(|(key, _)| key)
        .collect();
    for key in keys {
        not_negative(errors, status, "status", &[key]);
    }
    let (counts, ready): (&[&str], &str) = match kind {
        "Deployment" => (
            &["updatedReplicas", "readyReplicas", "availableReplicas"],
            "cannot be greater than readyReplicas",
        ),
        "ReplicaSet" => (
            &["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
            "cannot be greater than readyReplicas",
        ),
        "StatefulSet" => (
            &[
                "readyReplicas",
                "currentReplicas",
                "updatedReplicas",
                "availableReplicas",
            ],
            "cannot be greater than status.readyReplicas",
        ),
        _ => return,
    };
    let mut check = |key: &str, most: i64, detail: &str| {
        if count(key) > most {
            invalid(errors, format!("status.{key}"), &count(key), detail);
        }
    };
    for key in counts {
        check(key, count("replicas"), "cannot be greater than status.replicas");
    }
    check("availableReplicas", count("readyReplicas"), ready);
}

pub(super) fn revision(object: &Value, old: Option<&Value>, errors: &mut Errors) {
    if let Some(number) = object
        .get("revision")
        .and_then(Value::as_i64)
        .filter(|number| *number < 0)
    {
        invalid(errors, "revision", &number, super::errors::NOT_NEGATIVE);
    }
    match (object.get("data"), old) {
        (data, Some(old)) => {
            // A server finds a difference in the bytes of equal data, too.
            if crate::kind::differs(object, old, |key| key == "metadata") {
                invalid(
                    errors,
                    "data",
                    &data.cloned().unwrap_or_default(),
                    "field is immutable",
                );
            }
        }
        (None | Some(Value::Null), None) => required(errors, "data", "data is mandatory"),
        (Some(Value::Object(_)), None) => {}
        (Some(_), None) => required(errors, "data", "data must be a valid JSON object"),
    }
}

pub(super) fn autoscaler(object: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let number = |key: &str| spec.get(key).and_then(Value::as_i64);
    if let Some(least) = number("minReplicas").filter(|least| *least < 1) {
        invalid(
            errors,
            "spec.minReplicas",
            &least,
            "must be greater than or equal to 1",
        );
    }
    if number("minReplicas") == Some(0) {
        let detail =
            "must specify at least one Object or External metric to support scaling to zero replicas";
        forbidden(errors, "spec.metrics", detail);
    }
    let most = number("maxReplicas").unwrap_or(0);
    if most < 1 {
        required(errors, "spec.maxReplicas", "must be set and greater than 0");
    }
    if most < number("minReplicas").unwrap_or(most) {
        let detail = "must be greater than or equal to `minReplicas`";
        invalid(errors, "spec.maxReplicas", &most, detail);
    }
    let target = spec.get("scaleTargetRef").unwrap_or(&nothing);
    for key in ["kind", "name"] {
        if text(target, key).is_empty() {
            required(errors, format!("spec.scaleTargetRef.{key}"), "");
        }
    }
    if text(target, "apiVersion").is_empty() {
        let detail = "apiVersion must specify API group";
        invalid(errors, "spec.scaleTargetRef.apiVersion", "", detail);
    }
    for (index, metric) in items(spec, "metrics").iter().enumerate() {
        let field = format!("spec.metrics[{index}]");
        let source = match text(metric, "type") {
            "ContainerResource" => "containerResource",
            "External" => "external",
            "Object" => "object",
            "Pods" => "pods",
            "Resource" => "resource",
            other => {
                let supported = ["ContainerResource", "External", "Object", "Pods", "Resource"];
                let error = FieldError::not_supported(format!("{field}.type"), other, &supported);
                errors.extend([error.clone(), error]);
                continue;
            }
        };
        if !has(metric, source) {
            let detail = "must populate information for the given metric source";
            required(errors, format!("{field}.{source}"), detail);
        }
    }
}

pub(super) fn budget(object: &Value, errors: &mut Errors) {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let (least, most) = (spec.get("minAvailable"), spec.get("maxUnavailable"));
    for (key, value) in [("minAvailable", least), ("maxUnavailable", most)] {
        if value.is_some() {
            let field = format!("spec.{key}");
            share(errors, &field, value).is_not_more_than_all(errors, &field, value);
        }
    }
    if least.is_some() && most.is_some() {
        let value = Budget {
            min_available: least,
            selector: spec.get("selector"),
            max_unavailable: most,
            unhealthy_pod_eviction_policy: spec.get("unhealthyPodEvictionPolicy"),
        };
        let detail = "minAvailable and maxUnavailable cannot be both set";
        invalid(errors, "spec", &value, detail);
    }
    if let Some(policy) = spec.get("unhealthyPodEvictionPolicy").and_then(Value::as_str) {
        let supported = ["AlwaysAllow", "IfHealthyBudget"];
        one_of(errors, "spec.unhealthyPodEvictionPolicy", policy, &supported);
    }
    if let Some(wanted) = spec.get("selector") {
        selector(errors, wanted, "spec.selector");
    }
}
