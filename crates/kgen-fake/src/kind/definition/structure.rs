//! The schema of a definition: what a real server refuses in its structure, in its defaults and in its rules.
//!
//! Mirrors `ValidateCustomResourceDefinitionOpenAPISchema` and `ValidateStructural`.

use kgen_cel::go_regex;
use kgen_schema::{ErrorKind, FieldError, Version};
use serde_json::Value;

use super::rules;

/// Whether a schema is that of an object, of the items of a list, or of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

/// Checks the schemas of all versions.
pub(super) fn check(crd: &Value, errors: &mut Vec<FieldError>) {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let schemas: Vec<&Value> = versions
        .into_iter()
        .flatten()
        .filter_map(|version| version.pointer("/schema/openAPIV3Schema"))
        .collect();
    // The server keeps a schema that all versions share in one place, and names that place.
    let shared = schemas
        .first()
        .filter(|first| schemas.iter().all(|schema| schema == *first));
    match shared {
        Some(shared) => check_schema(shared, "spec.validation.openAPIV3Schema", errors),
        None => {
            for (index, schema) in schemas.into_iter().enumerate() {
                let field = format!("spec.versions[{index}].schema.openAPIV3Schema");
                check_schema(schema, &field, errors);
            }
        }
    }
}

fn check_schema(schema: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let before = errors.len();
    node(schema, field, Level::Root, errors);
    // Rules can only be compiled if the schema is structural.
    if errors.len() == before {
        rules::check(schema, field, errors);
    }
    if errors.len() == before {
        defaults(schema, field, errors);
    }
}

fn text<'s>(schema: &'s Value, key: &str) -> &'s str {
    schema.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn flag(schema: &Value, key: &str) -> bool {
    schema.get(key).and_then(Value::as_bool).unwrap_or_default()
}

fn items<'s>(schema: &'s Value, key: &str) -> impl Iterator<Item = &'s Value> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten()
}

fn required(field: String, detail: &str) -> FieldError {
    FieldError::new(ErrorKind::Required, field, detail)
}

fn forbidden(field: String, detail: &str) -> FieldError {
    FieldError::new(ErrorKind::Forbidden, field, detail)
}

fn invalid(field: String, value: &Value, detail: impl Into<String>) -> FieldError {
    FieldError::new(ErrorKind::Invalid, field, detail).with_value(value)
}

/// Checks a schema outside of combinations, and everything within it.
fn node(schema: &Value, field: &str, level: Level, errors: &mut Vec<FieldError>) {
    let at = |key: &str| format!("{field}.{key}");
    let (json_type, value) = (text(schema, "type"), |key: &str| {
        schema.get(key).cloned().unwrap_or_default()
    });
    anywhere(schema, field, errors);
    let is_embedded = flag(schema, "x-kubernetes-embedded-resource");
    let is_int_or_string = flag(schema, "x-kubernetes-int-or-string");
    let keeps_unknown = flag(schema, "x-kubernetes-preserve-unknown-fields");
    let embedded_type = "must be object if x-kubernetes-embedded-resource is true";
    if is_embedded && json_type != "object" {
        errors.push(match json_type {
            "" => required(at("type"), embedded_type),
            _ => invalid(at("type"), &value("type"), embedded_type),
        });
    } else if json_type.is_empty() && !is_int_or_string && !keeps_unknown {
        let detail = match level {
            Level::Root => "must not be empty at the root",
            Level::Item => "must not be empty for specified array items",
            Level::Field => "must not be empty for specified object fields",
        };
        errors.push(required(at("type"), detail));
    }
    if level == Level::Root && !matches!(json_type, "" | "object") {
        errors.push(invalid(at("type"), &value("type"), "must be object at the root"));
    }
    if json_type == "array" && schema.get("items").is_none() {
        errors.push(required(at("items"), "must be specified"));
    }
    if is_embedded && schema.get("additionalProperties").is_some() {
        let detail = "must not be used if x-kubernetes-embedded-resource is set";
        errors.push(forbidden(at("additionalProperties"), detail));
    }
    if is_embedded && !keeps_unknown && properties(schema).next().is_none() {
        let detail = "must not be empty if x-kubernetes-embedded-resource is true without \
                      x-kubernetes-preserve-unknown-fields";
        errors.push(required(at("properties"), detail));
    }
    if is_int_or_string && keeps_unknown {
        let field = at("x-kubernetes-preserve-unknown-fields");
        let detail = "must be false if x-kubernetes-int-or-string is true";
        errors.push(invalid(field, &Value::Bool(true), detail));
    }
    if is_int_or_string && !json_type.is_empty() {
        let detail = "must be empty if x-kubernetes-int-or-string is true";
        errors.push(invalid(at("type"), &value("type"), detail));
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for (index, part) in items(schema, key).enumerate() {
            combined(
                part,
                schema,
                &format!("{field}.{key}[{index}]"),
                is_int_or_string,
                errors,
            );
        }
    }
    if let Some(part) = schema.get("not") {
        combined(part, schema, &at("not"), false, errors);
    }
    if let Some(part) = schema.get("items") {
        node(part, &at("items"), Level::Item, errors);
    }
    if let Some(part) = schema.get("additionalProperties").filter(|part| part.is_object()) {
        node(part, &at("additionalProperties"), Level::Field, errors);
    }
    for (name, part) in properties(schema) {
        node(part, &format!("{field}.properties[{name}]"), Level::Field, errors);
    }
}

/// Checks the keywords that mean the same within combinations.
fn anywhere(schema: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let at = |key: &str| format!("{field}.{key}");
    let json_type = text(schema, "type");
    let type_value = schema.get("type").cloned().unwrap_or_default();
    if flag(schema, "uniqueItems") {
        let detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        errors.push(forbidden(at("uniqueItems"), detail));
    }
    let has_map = schema
        .get("additionalProperties")
        .is_some_and(|other| other != &Value::Bool(true));
    if has_map && properties(schema).next().is_some() {
        let detail = "additionalProperties and properties are mutual exclusive";
        errors.push(forbidden(at("additionalProperties"), detail));
    }
    if schema.get("x-kubernetes-map-type").is_some() && json_type != "object" {
        let detail = "must be object if x-kubernetes-map-type is specified";
        errors.push(invalid(at("type"), &type_value, detail));
    }
    if let Err(refusal) = go_regex::translate(text(schema, "pattern")) {
        let detail = format!("must be a valid regular expression, but isn't: {refusal}");
        errors.push(invalid(at("pattern"), &schema["pattern"], detail));
    }
    list(schema, field, errors);
}

/// Checks list types and keys.
fn list(schema: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let at = |key: &str| format!("{field}.{key}");
    let value = |key: &str| schema.get(key).cloned().unwrap_or_default();
    let list_type = text(schema, "x-kubernetes-list-type");
    let keys: Vec<&str> = items(schema, "x-kubernetes-list-map-keys")
        .filter_map(Value::as_str)
        .collect();
    if !list_type.is_empty() && text(schema, "type") != "array" {
        let detail = "must be array if x-kubernetes-list-type is specified";
        errors.push(invalid(at("type"), &value("type"), detail));
    }
    if !keys.is_empty() && list_type != "map" {
        let (field, detail) = (
            at("x-kubernetes-list-type"),
            "must be map if x-kubernetes-list-map-keys is non-empty",
        );
        errors.push(match list_type {
            "" => required(field, detail),
            _ => invalid(field, &value("x-kubernetes-list-type"), detail),
        });
    }
    let Some(item) = schema.get("items") else {
        return;
    };
    let of_item = |key: &str| item.get(key).cloned().unwrap_or_default();
    if list_type == "set" {
        if flag(item, "nullable") {
            let detail = "cannot be nullable when x-kubernetes-list-type is set";
            errors.push(forbidden(at("items.nullable"), detail));
        }
        let is_atomic = match text(item, "type") {
            "object" => text(item, "x-kubernetes-map-type") == "atomic",
            "array" => matches!(text(item, "x-kubernetes-list-type"), "" | "atomic"),
            _ => true,
        };
        if !is_atomic {
            let key = match text(item, "type") {
                "object" => "x-kubernetes-map-type",
                _ => "x-kubernetes-list-type",
            };
            let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
            errors.push(invalid(at(&format!("items.{key}")), &of_item(key), detail));
        }
    }
    if list_type != "map" {
        return;
    }
    let keys_field = at("x-kubernetes-list-map-keys");
    if keys.is_empty() {
        let detail = "must not be empty if x-kubernetes-list-type is map";
        errors.push(required(keys_field.clone(), detail));
    }
    if text(item, "type") != "object" {
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        errors.push(invalid(at("items.type"), &of_item("type"), detail));
        return;
    }
    for (index, key) in keys.iter().enumerate() {
        if keys.iter().take(index).any(|before| before == key) {
            let detail = "must not contain duplicate entries";
            errors.push(invalid(
                keys_field.clone(),
                &value("x-kubernetes-list-map-keys"),
                detail,
            ));
        }
        let Some((_, part)) = properties(item).find(|(name, _)| name == key) else {
            let detail = "entries must all be names of item properties";
            errors.push(invalid(
                keys_field.clone(),
                &value("x-kubernetes-list-map-keys"),
                detail,
            ));
            continue;
        };
        let part_field = at(&format!("items.properties[{key}]"));
        if matches!(text(part, "type"), "array" | "object") {
            let detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
            errors.push(invalid(format!("{part_field}.type"), &part["type"], detail));
        }
        let is_required = items(item, "required").any(|name| name == key);
        if !is_required && part.get("default").is_none() {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required \
                          property";
            errors.push(required(format!("{part_field}.default"), detail));
        }
    }
}

/// Checks a schema within a combination: it only restricts values, and only those that the schema outside describes.
fn combined(schema: &Value, outside: &Value, field: &str, may_have_type: bool, errors: &mut Vec<FieldError>) {
    let at = |key: &str| format!("{field}.{key}");
    anywhere(schema, field, errors);
    for (key, detail) in [
        ("type", "must be empty to be structural"),
        ("title", "must be empty to be structural"),
        ("description", "must be empty to be structural"),
        ("default", "must be undefined to be structural"),
        ("nullable", "must be false to be structural"),
        ("additionalProperties", "must be undefined to be structural"),
        (
            "x-kubernetes-preserve-unknown-fields",
            "must be false to be structural",
        ),
        ("x-kubernetes-embedded-resource", "must be false to be structural"),
        ("x-kubernetes-int-or-string", "must be false to be structural"),
        ("x-kubernetes-list-map-keys", "must be empty to be structural"),
        ("x-kubernetes-list-type", "must be undefined to be structural"),
        ("x-kubernetes-map-type", "must be undefined to be structural"),
        ("x-kubernetes-validations", "must be empty to be structural"),
    ] {
        let is_set = schema
            .get(key)
            .is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)) && value != "");
        if is_set && !(key == "type" && may_have_type) {
            errors.push(forbidden(at(key), detail));
        }
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for (index, part) in items(schema, key).enumerate() {
            combined(
                part,
                outside,
                &format!("{field}.{key}[{index}]"),
                may_have_type,
                errors,
            );
        }
    }
    if let Some(part) = schema.get("not") {
        combined(part, outside, &at("not"), false, errors);
    }
    if let (Some(part), Some(outside)) = (schema.get("items"), outside.get("items")) {
        combined(part, outside, &at("items"), false, errors);
    }
    for (name, part) in properties(schema) {
        if let Some((_, outside)) = properties(outside).find(|(known, _)| *known == name) {
            combined(
                part,
                outside,
                &format!("{field}.properties[{name}]"),
                false,
                errors,
            );
        }
    }
}

/// Checks that every default is a valid value without unknown fields.
fn defaults(schema: &Value, field: &str, errors: &mut Vec<FieldError>) {
    if let Some(default) = schema.get("default").filter(|default| !default.is_null()) {
        let place = format!("{field}.default");
        let wrapped = serde_json::json!({"type": "object", "properties": {"value": schema}});
        if let Ok(version) = Version::from_schema("example.org", "Default", "v1", &wrapped) {
            let mut object = serde_json::json!({
                "apiVersion": "example.org/v1", "kind": "Default",
                "metadata": {"name": "default", "namespace": "default"}, "value": default,
            });
            let unknown = version.prune(&mut object);
            if unknown.is_ok_and(|unknown| !unknown.is_empty()) {
                errors.push(invalid(place.clone(), default, "must not have unknown fields"));
            }
            version.default(&mut object);
            for error in version.validate(&object).errors {
                if let Some(path) = error.field().strip_prefix("value") {
                    let detail = error.detail().replacen("value", &place, 1);
                    let moved = FieldError::new(error.kind(), format!("{place}{path}"), detail);
                    errors.push(match error.kind() {
                        ErrorKind::Required | ErrorKind::Forbidden => moved,
                        _ => moved.with_value(default),
                    });
                }
            }
        }
    }
    for (name, part) in properties(schema) {
        defaults(part, &format!("{field}.properties[{name}]"), errors);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(part) = schema.get(key).filter(|part| part.is_object()) {
            defaults(part, &format!("{field}.{key}"), errors);
        }
    }
}
