//! Fills in defaults.
//!
//! Mirrors `defaulting.Default` of the API server. A default is filled in where the enclosing object exists, also in place
//! of a `null` that the schema does not allow.

use serde_json::Value;

use crate::schema::Schema;

/// Fills in the defaults of a value. Returns whether there was anything to fill in.
pub(crate) fn fill_in(schema: &Schema, value: &mut Value) -> bool {
    if schema.no_defaults_within {
        return false;
    }
    let mut changed = false;
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
                    changed = true;
                }
            }
            for (name, entry) in entries.iter_mut() {
                if let Some(property) = schema.properties.get(name) {
                    changed |= fill_in(property, entry);
                } else if let Some(other) = schema.additional_schema() {
                    changed |= replace_null(other, entry);
                    changed |= fill_in(other, entry);
                }
            }
        }
        Value::Array(items) => {
            if let Some(expected) = &schema.items {
                for item in items {
                    changed |= replace_null(expected, item);
                    changed |= fill_in(expected, item);
                }
            }
        }
        _ => {}
    }
    changed
}

/// Returns whether [`fill_in`] would change a value.
pub(crate) fn is_missing_any(schema: &Schema, value: &Value) -> bool {
    if schema.no_defaults_within {
        return false;
    }
    let is_replaced = |schema: &Schema, value: &Value| {
        (value.is_null() && !schema.nullable && schema.default.is_some()) || is_missing_any(schema, value)
    };
    match value {
        Value::Object(entries) => {
            let is_missing = |(name, property): (&String, &std::sync::Arc<Schema>)| {
                property.default.is_some() && !entries.contains_key(name)
            };
            schema.properties.iter().any(is_missing)
                || entries.iter().any(|(name, entry)| {
                    schema
                        .property(name)
                        .is_some_and(|inner| is_replaced(inner, entry))
                })
        }
        Value::Array(items) => match &schema.items {
            Some(expected) => items.iter().any(|item| is_replaced(expected, item)),
            None => false,
        },
        _ => false,
    }
}

fn replace_null(schema: &Schema, value: &mut Value) -> bool {
    if value.is_null()
        && !schema.nullable
        && let Some(default) = &schema.default
    {
        *value = default.clone();
        return true;
    }
    false
}
