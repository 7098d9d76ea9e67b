//! Rules of roles and their bindings.

use kgen_schema::{FieldError, names};
use serde_json::Value;

use super::super::Row;
use super::errors::{Errors, invalid, items, named, required, text};

const GROUP: &str = "rbac.authorization.k8s.io";

/// A role in the order of the fields in Go.
#[derive(serde::Serialize)]
#[serde(rename_all = "PascalCase")]
struct RoleRef<'o> {
    #[serde(rename = "APIGroup")]
    api_group: &'o str,
    kind: &'o str,
    name: &'o str,
}

pub(super) fn binding(row: &Row, object: &Value, old: Option<&Value>, errors: &mut Errors) {
    let nothing = Value::Null;
    let is_namespaced = row.served.is_namespaced;
    let role = object.get("roleRef").unwrap_or(&nothing);
    let unsupported = |errors: &mut Errors, field: String, value: &str, supported: &[&str]| {
        if !supported.contains(&value) {
            errors.push(FieldError::not_supported(field, value, supported));
        }
    };
    unsupported(
        errors,
        "roleRef.apiGroup".to_owned(),
        text(role, "apiGroup"),
        &[GROUP],
    );
    let kinds: &[&str] = if is_namespaced {
        &["Role", "ClusterRole"]
    } else {
        &["ClusterRole"]
    };
    unsupported(errors, "roleRef.kind".to_owned(), text(role, "kind"), kinds);
    match text(role, "name") {
        "" => required(errors, "roleRef.name", ""),
        name => named(
            errors,
            "roleRef.name",
            name,
            names::path_segment_mistakes(name, false),
        ),
    }
    for (index, subject) in items(object, "subjects").iter().enumerate() {
        let at = |key: &str| format!("subjects[{index}].{key}");
        let (kind, name) = (text(subject, "kind"), text(subject, "name"));
        if name.is_empty() {
            required(errors, at("name"), "");
        }
        match kind {
            "ServiceAccount" => {
                if !name.is_empty() {
                    named(errors, &at("name"), name, names::subdomain_mistakes(name));
                }
                unsupported(errors, at("apiGroup"), text(subject, "apiGroup"), &[""]);
                if text(subject, "namespace").is_empty() && !is_namespaced {
                    required(errors, at("namespace"), "");
                }
            }
            "User" | "Group" => unsupported(errors, at("apiGroup"), text(subject, "apiGroup"), &[GROUP]),
            other => unsupported(errors, at("kind"), other, &["ServiceAccount", "User", "Group"]),
        }
    }
    if old.is_some_and(|old| old.get("roleRef") != object.get("roleRef")) {
        let role = RoleRef {
            api_group: text(role, "apiGroup"),
            kind: text(role, "kind"),
            name: text(role, "name"),
        };
        invalid(errors, "roleRef", &role, "cannot change roleRef");
    }
}

pub(super) fn role(row: &Row, object: &Value, errors: &mut Errors) {
    let rules = object.get("rules").and_then(Value::as_array);
    for (index, rule) in rules.into_iter().flatten().enumerate() {
        let is_missing = |key: &str| rule.get(key).and_then(Value::as_array).is_none_or(Vec::is_empty);
        let field = |key: &str| format!("rules[{index}].{key}");
        if is_missing("verbs") {
            required(errors, field("verbs"), "verbs must contain at least one value");
        }
        if !is_missing("nonResourceURLs") {
            if row.served.kind == "Role" {
                let detail = "namespaced rules cannot apply to non-resource URLs";
                let value = rule.get("nonResourceURLs").cloned().unwrap_or_default();
                invalid(errors, field("nonResourceURLs"), &value, detail);
            }
            if row.served.kind == "ClusterRole" && !(is_missing("apiGroups") && is_missing("resources")) {
                let detail = "rules cannot apply to both regular resources and non-resource URLs";
                let value = rule.get("nonResourceURLs").cloned().unwrap_or_default();
                invalid(errors, field("nonResourceURLs"), &value, detail);
            }
            continue;
        }
        if is_missing("apiGroups") {
            required(
                errors,
                field("apiGroups"),
                "resource rules must supply at least one api group",
            );
        }
        if is_missing("resources") {
            required(
                errors,
                field("resources"),
                "resource rules must supply at least one resource",
            );
        }
    }
}
