//! Fields of a value that the schema does not know: the API server would prune them, so it refuses them in defaults.
//!
//! Mirrors `pruning.Prune` of the API server.

use kgen_model::Schema;
use serde_json::Value;

use super::super::walk::META_PROPERTIES;
use super::validate::{Failure, unknown_property};

/// Finds the first field that would be pruned.
pub(super) fn check(schema: &Schema, value: &Value) -> Result<(), Failure> {
    match value {
        Value::Object(entries) => {
            for (name, entry) in entries {
                if schema.embedded_resource && META_PROPERTIES.contains(&name.as_str()) {
                    continue;
                }
                match schema
                    .properties
                    .get(name)
                    .or(schema.additional_properties.as_ref())
                {
                    Some(known) => {
                        check(known, entry).map_err(|failure| failure.within(&format!(".{name}")))?
                    }
                    None if schema.preserve_unknown_fields => {}
                    None => return Err(unknown_property(schema, name)),
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
