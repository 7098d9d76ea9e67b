//! Embedded resources within defaults: the API server reads their metadata itself and requires it to be complete.

use kgen_schema::{ErrorKind, Schema, embedded_resource_errors};
use serde_json::Value;

use super::validate::Failure;

/// Finds the first embedded resource that is not one.
pub(super) fn check(schema: &Schema, value: &Value) -> Result<(), Failure> {
    let errors = embedded_resource_errors(schema, value);
    let Some(error) = errors.first() else {
        return Ok(());
    };
    let (place, name) = resource(error.field());
    let failure = Failure::new(match (error.kind(), name) {
        (ErrorKind::Required, "apiVersion" | "kind") => format!("an embedded resource needs `{name}`"),
        (_, "apiVersion") => "`apiVersion` of an embedded resource must be a group and a version".to_owned(),
        (_, "kind") => "`kind` of an embedded resource must be the name of a kind".to_owned(),
        _ => "`metadata` of an embedded resource is not valid".to_owned(),
    });
    let dot = if place.is_empty() || place.starts_with('[') {
        ""
    } else {
        "."
    };
    Err(failure.within(&format!("{dot}{place}")))
}

/// Splits the path of an error into the path of the embedded resource and the name of its field.
fn resource(field: &str) -> (&str, &'static str) {
    let after = |name: &'static str| {
        let before = field.strip_suffix(name)?;
        (before.is_empty() || before.ends_with('.')).then_some((before.trim_end_matches('.'), name))
    };
    let is_owner = field.contains("ownerReferences");
    let of_type = after("apiVersion")
        .or_else(|| after("kind"))
        .filter(|_| !is_owner);
    of_type.unwrap_or_else(|| {
        let end = field.rfind("metadata").unwrap_or_default();
        (
            field.get(..end).unwrap_or_default().trim_end_matches('.'),
            "metadata",
        )
    })
}
