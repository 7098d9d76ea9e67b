//! Fills in defaults.
//!
//! Mirrors `defaulting.Default` of the API server. A default is filled in where the enclosing object exists, also in place
//! of a `null` that the schema does not allow.

use serde_json::Value;

use crate::schema::Schema;

/// Fills in the defaults of a value.
pub(crate) fn fill_in(schema: &Schema, value: &mut Value) {
    match value {
        Value::Object(entries) => {
            for (name, property) in &schema.properties {
                let Some(default) = &property.default else {
                    continue;
                };
                let is_missing = match entries.get(name) {
                    None => true,
                    Some(entry) => entry.is_null() && !property.nullable,
                };
                if is_missing {
                    entries.insert(name.clone(), default.clone());
                }
            }
            for (name, entry) in entries.iter_mut() {
                if let Some(property) = schema.properties.get(name) {
                    fill_in(property, entry);
                } else if let Some(other) = schema.additional_schema() {
                    replace_null(other, entry);
                    fill_in(other, entry);
                }
            }
        }
        Value::Array(items) => {
            if let Some(expected) = &schema.items {
                for item in items {
                    replace_null(expected, item);
                    fill_in(expected, item);
                }
            }
        }
        _ => {}
    }
}

fn replace_null(schema: &Schema, value: &mut Value) {
    if value.is_null()
        && !schema.nullable
        && let Some(default) = &schema.default
    {
        *value = default.clone();
    }
}
