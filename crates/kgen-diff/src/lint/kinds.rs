//! Lints of a whole kind: its description, its status and its conditions.

use kgen_diagnostics::{Code, Fix};
use kgen_model::{JsonType, KindStyle, KindVersion, ListType, Schema};

use super::Report;

pub(super) fn check(version: &KindVersion, report: &mut Report<'_>) {
    if version.schema.description.is_none() {
        report.add(Code::Documentation, version.span, |problem| {
            let problem = problem.help("write a comment above it; `kubectl explain` shows it");
            with_message(problem, format!("the kind `{}` has no description", version.kind))
        });
    }
    let status = version.schema.properties.get("status");
    subresource(version, status.is_some(), report);
    let Some(status) = status else { return };
    for name in &status.required {
        let span = status
            .properties
            .get(name)
            .and_then(|property| property.places.node);
        let Some(span) = span.filter(|span| report.is_own(*span)) else {
            continue;
        };
        report.add(Code::StatusRequired, span, |problem| {
            let problem = problem.help("make it an `Option`, or add `#[serde(default)]`");
            let message = format!("`{name}` is required, so no part of status can be written without it");
            with_message(problem, message)
        });
    }
    if let Some(phase) = status.properties.get("phase")
        && let Some(span) = phase.places.node.filter(|span| report.is_own(*span))
    {
        report.add(Code::PhaseField, span, |problem| {
            let problem = problem.help("report the state of the object with conditions");
            with_message(
                problem,
                "a new phase breaks clients that branch on the known ones".to_owned(),
            )
        });
    }
    if let Some(conditions) = status.properties.get("conditions") {
        self::conditions(conditions, status.required.contains("conditions"), report);
    }
}

fn with_message(mut problem: kgen_diagnostics::Problem, message: String) -> kgen_diagnostics::Problem {
    problem.message = message;
    problem
}

fn subresource(version: &KindVersion, has_status: bool, report: &mut Report<'_>) {
    match (has_status, version.status_subresource) {
        (true, None) => report.add(Code::StatusSubresource, version.span, |problem| {
            let message = format!("`{}` has a status, but not the subresource", version.kind);
            let problem = with_message(problem, message);
            if version.style == KindStyle::WholeStruct {
                problem
                    .help("add `// +kubebuilder:subresource:status`")
                    .with_fix(Fix::line_above(version.span, "// +kubebuilder:subresource:status").certain())
            } else {
                problem.help("add `status = \"…\"` to `#[kube(…)]`")
            }
        }),
        (false, Some(span)) => report.add(Code::StatusSubresource, span, |problem| {
            let message = format!("`{}` has the subresource `status`, but no status", version.kind);
            with_message(problem, message).help("add `pub status: Option<…>`, or remove the marker")
        }),
        _ => {}
    }
}

/// Returns whether the items of a list look like conditions.
fn is_condition(items: &Schema) -> bool {
    ["type", "status", "reason", "message", "lastTransitionTime"]
        .iter()
        .all(|name| items.properties.contains_key(*name))
}

fn conditions(schema: &Schema, is_required: bool, report: &mut Report<'_>) {
    let Some(span) = schema.places.node.filter(|span| report.is_own(*span)) else {
        return;
    };
    let is_list =
        schema.json_type == Some(JsonType::Array) && schema.items.as_deref().is_some_and(is_condition);
    if !is_list {
        report.add(Code::ConditionShape, span, |problem| {
            let problem = with_message(problem, "`conditions` is not a list of `Condition`".to_owned());
            problem.help("use `Vec<Condition>` of `k8s_openapi::apimachinery::pkg::apis::meta::v1`")
        });
        return;
    }
    let has_keys = schema.list_type == Some(ListType::Map) && schema.list_map_keys.iter().eq(["type"].iter());
    if has_keys && !is_required {
        return;
    }
    let mut lines = Vec::new();
    if schema.list_type.is_none() {
        lines.push("// +listType=map");
    }
    if schema.list_map_keys.is_empty() {
        lines.push("// +listMapKey=type");
    }
    if is_required {
        lines.push("#[serde(default, skip_serializing_if = \"Vec::is_empty\")]");
    }
    report.add(Code::ConditionShape, span, |problem| {
        let message = match (has_keys, is_required) {
            (false, _) => "`conditions` is not a list with the key `type`",
            (true, _) => "`conditions` is required",
        };
        let problem = with_message(problem, message.to_owned());
        let is_repairable = has_keys || schema.list_type.is_none() && schema.list_map_keys.is_empty();
        if is_repairable {
            problem
                .help(format!("add `{}`", lines.join("`, `")))
                .with_fix(Fix::line_above(span, lines.join("\n")).certain())
        } else {
            problem.help("add `// +listType=map` and `// +listMapKey=type`, and make it optional")
        }
    });
}
