//! Embedded resources within defaults: the API server reads their metadata itself and wants it to be complete.
//!
//! Mirrors `objectmeta.Validate` of the API server, apart from the rules on single labels and names.

use kgen_model::Schema;
use serde_json::Value;

use super::super::names::is_label;
use super::validate::Failure;

/// Finds the first embedded resource that is none.
pub(crate) fn check(schema: &Schema, value: &Value) -> Result<(), Failure> {
    match value {
        Value::Object(entries) => {
            if schema.embedded_resource {
                check_resource(value)?;
            }
            for (name, entry) in entries {
                if let Some(known) = schema
                    .properties
                    .get(name)
                    .or(schema.additional_properties.as_ref())
                {
                    check(known, entry).map_err(|failure| failure.within(&format!(".{name}")))?;
                }
            }
            Ok(())
        }
        Value::Array(items) => match &schema.items {
            Some(known) => items.iter().enumerate().try_for_each(|(position, item)| {
                check(known, item).map_err(|failure| failure.within(&format!("[{position}]")))
            }),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn check_resource(value: &Value) -> Result<(), Failure> {
    let Some(version) = value.get("apiVersion") else {
        return Err(Failure::new("an embedded resource needs `apiVersion`"));
    };
    let Some(kind) = value.get("kind") else {
        return Err(Failure::new("an embedded resource needs `kind`"));
    };
    let is_version = |text: &str| !text.is_empty() && text.matches('/').count() <= 1;
    if !version.as_str().is_some_and(is_version) {
        return Err(Failure::new(
            "`apiVersion` of an embedded resource must be a group and a version",
        ));
    }
    if !kind
        .as_str()
        .is_some_and(|kind| kind.len() <= 63 && is_label(&kind.to_lowercase()))
    {
        return Err(Failure::new(
            "`kind` of an embedded resource must be the name of a kind",
        ));
    }
    let Some(metadata) = value.get("metadata") else {
        return Ok(());
    };
    let texts = |key: &str| metadata.get(key).is_none_or(Value::is_string);
    let maps = |key: &str| {
        let is_text_map = |map: &Value| {
            map.as_object()
                .is_some_and(|map| map.values().all(Value::is_string))
        };
        metadata.get(key).is_none_or(is_text_map)
    };
    if !(metadata.is_object() && texts("name") && texts("namespace") && maps("labels") && maps("annotations"))
    {
        return Err(Failure::new(
            "`metadata` of an embedded resource is not what objects have",
        ));
    }
    Ok(())
}
