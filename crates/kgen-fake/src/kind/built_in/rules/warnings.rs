//! Warnings about objects that are valid.

use kgen_schema::names;
use serde_json::Value;

use super::super::Row;
use super::errors::{items, text};

/// Returns the warnings about a Service, which every write of it gets.
pub(crate) fn of_service(object: &Value) -> Vec<String> {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let kind = text(spec, "type");
    let is_headless = kind == "ClusterIP" && text(spec, "clusterIP") == "None";
    let has_addresses = !items(spec, "externalIPs").is_empty();
    let mut warnings = Vec::new();
    let mut warn = |condition: bool, warning: &str| {
        if condition {
            warnings.push(warning.to_owned());
        }
    };
    let ignored = "is ignored for headless services";
    let has_balancer = !text(spec, "loadBalancerIP").is_empty();
    warn(
        is_headless && has_balancer,
        &format!("spec.loadBalancerIP {ignored}"),
    );
    warn(
        is_headless && has_addresses,
        &format!("spec.externalIPs {ignored}"),
    );
    let has_affinity = !matches!(text(spec, "sessionAffinity"), "" | "None");
    warn(
        is_headless && has_affinity,
        &format!("spec.SessionAffinity {ignored}"),
    );
    warn(
        has_addresses && !is_headless && kind != "ExternalName",
        "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    );
    warn(
        kind == "ExternalName" && has_addresses,
        "spec.externalIPs is ignored when spec.type is \"ExternalName\"",
    );
    warn(
        kind != "ExternalName" && !text(spec, "externalName").is_empty(),
        "spec.externalName is ignored when spec.type is not \"ExternalName\"",
    );
    warn(
        text(spec, "trafficDistribution") == "PreferClose",
        "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"",
    );
    warnings
}

/// Returns the warnings about a new object.
pub(crate) fn of_new(row: &Row, object: &Value) -> Vec<String> {
    let nothing = Value::Null;
    let kind = row.served.kind.as_str();
    let mut warnings = Vec::new();
    let mistakes = names::label_mistakes(crate::meta::name(object));
    if !mistakes.is_empty()
        && matches!(
            kind,
            "Deployment" | "ReplicaSet" | "ReplicationController" | "Job" | "CronJob"
        )
    {
        let mistakes = mistakes.join(" ");
        warnings.push(format!(
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is \
             recommended: [{mistakes}]"
        ));
    } else if !mistakes.is_empty() && kind == "Pod" {
        let mistakes = mistakes.join(" ");
        warnings.push(format!(
            "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is \
             recommended: [{mistakes}]"
        ));
    }
    let spec = object.get("spec").unwrap_or(&nothing);
    if kind == "Service" {
        warnings.extend(of_service(object));
    }
    let (pod, field) = match kind {
        "Pod" => (spec, "spec"),
        "CronJob" => (
            spec.pointer("/jobTemplate/spec/template/spec")
                .unwrap_or(&nothing),
            "spec.jobTemplate.spec.template.spec",
        ),
        _ => (
            spec.pointer("/template/spec").unwrap_or(&nothing),
            "spec.template.spec",
        ),
    };
    for (index, secret) in items(pod, "imagePullSecrets").iter().enumerate() {
        if text(secret, "name").is_empty() {
            let field = format!("{field}.imagePullSecrets[{index}].name");
            warnings.push(format!("{field}: invalid empty name \"\""));
        }
    }
    for (index, spread) in items(pod, "topologySpreadConstraints").iter().enumerate() {
        if spread.get("labelSelector").is_none() {
            let field = format!("{field}.topologySpreadConstraints[{index}].labelSelector");
            warnings.push(format!(
                "{field}: a null labelSelector results in matching no pod"
            ));
        }
    }
    for key in ["initContainers", "containers"] {
        for (index, container) in items(pod, key).iter().enumerate() {
            for part in ["limits", "requests"] {
                let amounts = container
                    .pointer(&format!("/resources/{part}"))
                    .and_then(Value::as_object);
                for (name, amount) in amounts.into_iter().flatten() {
                    let amount = amount.as_str().unwrap_or_default();
                    if matches!(name.as_str(), "memory" | "ephemeral-storage") && amount.ends_with('m') {
                        let field = format!("{field}.{key}[{index}].resources.{part}[{name}]");
                        warnings.push(format!(
                            "{field}: fractional byte value \"{amount}\" is invalid, must be an integer"
                        ));
                    }
                }
            }
        }
    }
    warnings
}
