//! CustomResourceDefinition: the kind whose objects are kinds.

mod accepted;
mod parts;
mod rules;
mod structure;

use kgen_schema::{Definition, ErrorKind, FieldError};
use serde_json::{Value, json};

use crate::meta;

pub(crate) use accepted::{NamesInUse, is_established, status};

/// The finalizer under which the server deletes the objects of a definition.
pub(crate) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

fn or(object: &mut Value, key: &str, default: Value) {
    if object.is_object() && object.get(key).is_none_or(Value::is_null) {
        object[key] = default;
    }
}

/// Fills in the defaults of a definition.
pub(crate) fn fill_in(crd: &mut Value) {
    let Some(spec) = crd.get_mut("spec").filter(|spec| spec.is_object()) else {
        return;
    };
    or(spec, "conversion", json!({"strategy": "None"}));
    if let Some(names) = spec.get_mut("names").filter(|names| names.is_object()) {
        let kind = names
            .get("kind")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        or(names, "singular", Value::from(kind.to_lowercase()));
        or(names, "listKind", Value::from(format!("{kind}List")));
    }
}

/// Sets the status of a new definition: nothing is accepted yet.
pub(crate) fn new_status(crd: &mut Value) {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let stored: Vec<Value> = versions
        .into_iter()
        .flatten()
        .filter(|version| version.get("storage") == Some(&Value::Bool(true)))
        .filter_map(|version| version.get("name").cloned())
        .collect();
    crd["status"] =
        json!({"conditions": null, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": stored});
}

/// Validates a definition: its names, its versions, and the schemas with their rules.
pub(crate) fn validate(crd: &Value, old: Option<&Value>, errors: &mut Vec<FieldError>) {
    let text = |pointer: &str| crd.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (group, plural) = (text("/spec/group"), text("/spec/names/plural"));
    let expected = format!("{plural}.{group}");
    if meta::name(crd) != expected {
        let detail = "must be spec.names.plural+\".\"+spec.group";
        let error = FieldError::new(ErrorKind::Invalid, "metadata.name", detail);
        errors.push(error.with_value(meta::name(crd)));
    }
    for (field, pointer) in [
        ("spec.group", "/spec/group"),
        ("spec.names.plural", "/spec/names/plural"),
        ("spec.names.kind", "/spec/names/kind"),
    ] {
        if text(pointer).is_empty() {
            errors.push(FieldError::new(ErrorKind::Required, field, ""));
        }
    }
    let scope = text("/spec/scope");
    if !matches!(scope, "Namespaced" | "Cluster") {
        errors.push(if scope.is_empty() {
            FieldError::new(ErrorKind::Required, "spec.scope", "")
        } else {
            FieldError::not_supported("spec.scope", scope, &["Cluster", "Namespaced"])
        });
    }
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let stored = versions
        .into_iter()
        .flatten()
        .filter(|version| version.get("storage") == Some(&Value::Bool(true)));
    if stored.count() != 1 {
        let detail = "must have exactly one version marked as storage version";
        let error = FieldError::new(ErrorKind::Invalid, "spec.versions", detail);
        errors.push(error.with_value(&crd.pointer("/spec/versions").cloned().unwrap_or_default()));
    }
    for (index, version) in versions.into_iter().flatten().enumerate() {
        if version.pointer("/schema/openAPIV3Schema").is_none() {
            let field = format!("spec.versions[{index}].schema.openAPIV3Schema");
            errors.push(FieldError::new(
                ErrorKind::Required,
                field,
                "schemas are required",
            ));
        }
    }
    if let Some(old) = old {
        for (field, pointer) in [
            ("spec.group", "/spec/group"),
            ("spec.names.plural", "/spec/names/plural"),
            ("spec.names.kind", "/spec/names/kind"),
            ("spec.scope", "/spec/scope"),
        ] {
            if crd.pointer(pointer) != old.pointer(pointer) {
                let error = FieldError::new(ErrorKind::Invalid, field, "field is immutable");
                errors.push(error.with_value(text(pointer)));
            }
        }
    }
    // What has not changed was accepted before.
    if old.is_some_and(|old| old.get("spec") == crd.get("spec")) {
        return;
    }
    parts::check_names(crd, errors);
    parts::check_versions(crd, errors);
    if !errors.is_empty() {
        return;
    }
    if let Err(error) = Definition::from_json(crd) {
        errors.push(FieldError::new(ErrorKind::Invalid, "spec", error.to_string()).with_value(&Value::Null));
        return;
    }
    structure::check(crd, errors);
}
