//! Embedded resources: objects within an object that have their own type and metadata.
//!
//! Mirrors `objectmeta.Coerce` and `objectmeta.Validate` of the API server.

use serde_json::{Map, Value};

use crate::error::FieldError;
use crate::metadata;
use crate::names;
use crate::object_meta;
use crate::path::{Path, ROOT};
use crate::schema::{AdditionalProperties, Schema};
use crate::validate::sorted;

/// Reads the metadata of embedded resources, which drops unknown fields, and records the paths of these fields.
///
/// # Errors
///
/// Returns the first field that has the wrong type.
pub(crate) fn coerce(
    schema: &Schema,
    value: &mut Value,
    path: &Path<'_>,
    unknown: &mut Vec<String>,
) -> Result<(), FieldError> {
    match value {
        Value::Object(entries) => {
            if schema.embedded_resource {
                coerce_resource(entries, path, unknown)?;
            }
            for (name, entry) in entries.iter_mut() {
                if let Some(property) = schema.properties.get(name) {
                    coerce(property, entry, &path.property(name), unknown)?;
                } else if let Some(AdditionalProperties::Schema(other)) = &schema.additional_properties {
                    coerce(other, entry, &path.key(name), unknown)?;
                }
            }
            Ok(())
        }
        Value::Array(items) => match &schema.items {
            Some(expected) => {
                for (index, item) in items.iter_mut().enumerate() {
                    coerce(expected, item, &path.index(index), unknown)?;
                }
                Ok(())
            }
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn coerce_resource(
    entries: &mut Map<String, Value>,
    path: &Path<'_>,
    unknown: &mut Vec<String>,
) -> Result<(), FieldError> {
    for name in ["apiVersion", "kind"] {
        if let Some(value) = entries.get(name)
            && !value.is_string()
        {
            let field = path.property(name).bracketed();
            return Err(FieldError::invalid(field, value, "must be a string"));
        }
    }
    if let Some(metadata) = entries.get_mut("metadata") {
        let field = path.property("metadata").bracketed();
        match object_meta::read(metadata) {
            Ok(read) => {
                unknown.extend(read.unknown.iter().map(|name| format!("{field}.{name}")));
                *metadata = Value::Object(read.metadata);
            }
            Err(message) => return Err(FieldError::invalid(field, metadata, message)),
        }
    }
    Ok(())
}

/// Drops fields of embedded resources that have the wrong type. The API server does this with defaults.
pub(crate) fn coerce_leniently(schema: &Schema, value: &mut Value) {
    match value {
        Value::Object(entries) => {
            if schema.embedded_resource {
                for name in ["apiVersion", "kind"] {
                    if entries.get(name).is_some_and(|value| !value.is_string()) {
                        entries.remove(name);
                    }
                }
                if let Some(metadata) = entries.get_mut("metadata") {
                    *metadata = Value::Object(object_meta::read_leniently(metadata));
                }
            }
            for (name, entry) in entries.iter_mut() {
                if let Some(inner) = schema.property(name) {
                    coerce_leniently(inner, entry);
                }
            }
        }
        Value::Array(items) => {
            if let Some(expected) = &schema.items {
                items.iter_mut().for_each(|item| coerce_leniently(expected, item));
            }
        }
        _ => {}
    }
}

/// Returns the errors in the type and metadata of every embedded resource in a value.
///
/// ```
/// use kgen_schema::{Schema, embedded_resource_errors};
/// use serde_json::json;
///
/// let schema = Schema::read(&json!({"type": "object", "x-kubernetes-embedded-resource": true}))?;
/// let errors = embedded_resource_errors(&schema, &json!({"kind": "Pod"}));
/// assert_eq!(errors[0].to_string(), "apiVersion: Required value");
/// # Ok::<(), kgen_schema::ReadError>(())
/// ```
pub fn embedded_resource_errors(schema: &Schema, value: &Value) -> Vec<FieldError> {
    let mut errors = Vec::new();
    check(schema, value, &ROOT, &mut errors);
    errors
}

/// Validates the type and metadata of every embedded resource.
pub(crate) fn check(schema: &Schema, value: &Value, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match value {
        Value::Object(entries) => {
            if schema.embedded_resource {
                check_resource(entries, path, errors);
            }
            for (name, entry) in sorted(entries) {
                if let Some(property) = schema.properties.get(name) {
                    check(property, entry, &path.property(name), errors);
                } else if let Some(other) = schema.additional_schema() {
                    check(other, entry, &path.key(name), errors);
                }
            }
        }
        Value::Array(items) => {
            if let Some(expected) = &schema.items {
                for (index, item) in items.iter().enumerate() {
                    check(expected, item, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

fn check_resource(entries: &Map<String, Value>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let field = |name: &str| path.property(name).bracketed();
    for name in ["apiVersion", "kind"] {
        if !entries.contains_key(name) {
            errors.push(FieldError::required(field(name), ""));
        }
    }
    for (name, value) in sorted(entries) {
        match (name, value) {
            ("apiVersion" | "kind", Value::String(text)) => {
                let detail = if text.is_empty() {
                    Some("must not be empty".to_owned())
                } else if name == "apiVersion" {
                    (text.matches('/').count() > 1).then(|| format!("unexpected GroupVersion string: {text}"))
                } else {
                    let mistakes = names::label_1035_mistakes(&text.to_lowercase());
                    (!mistakes.is_empty()).then(|| {
                        let mistakes = mistakes.join(",");
                        format!("may have mixed case, but should otherwise match: {mistakes}")
                    })
                };
                errors.extend(detail.map(|detail| FieldError::invalid(field(name), value, detail)));
            }
            ("apiVersion" | "kind", value) => {
                errors.push(FieldError::invalid(field(name), value, "must be a string"));
            }
            ("metadata", value) => match object_meta::read(value) {
                Ok(read) => {
                    let mut found = read.metadata;
                    // The name of an embedded resource is optional.
                    found.entry("name").or_insert_with(|| Value::from("fakename"));
                    let has_namespace = found.contains_key("namespace");
                    let name_mistakes = names::path_segment_mistakes;
                    metadata::check_new(&found, has_namespace, name_mistakes, &field(name), errors);
                }
                Err(message) => errors.push(FieldError::invalid(field(name), value, message)),
            },
            _ => {}
        }
    }
}
