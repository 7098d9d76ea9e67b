//! Objects as the API server admits them: the value that it stores, or the reason why it refuses the object.
//!
//! Mirrors the order of `apiextensions-apiserver`: defaults, then nulls where null is not allowed, then unknown fields,
//! then validation and rules. Validation is the same that the defaults of a schema go through.

use kgen_cel::go_regex::Patterns;
use kgen_model::{ListType, Schema};
use kgen_schema::META_FIELDS;
use serde_json::{Map, Number, Value};

use super::rules;
use super::values::{Validator, embedded};

/// Compares objects with schemas.
#[derive(Default)]
pub struct Admission {
    patterns: Patterns,
}

impl Admission {
    /// Returns `value` as the API server would store it: with defaults, and without the fields that it prunes.
    ///
    /// # Errors
    /// Why the API server refuses it.
    pub fn admit(&self, schema: &Schema, value: &Value) -> Result<Value, String> {
        let mut stored = value.clone();
        decode(&mut stored);
        set_defaults(schema, &mut stored);
        remove_nulls(schema, &mut stored);
        prune(schema, &mut stored);
        let validator = Validator {
            patterns: &self.patterns,
        };
        let validated = validator.validate(schema, &stored);
        validated
            .and_then(|()| embedded::check(schema, &stored))
            .map_err(|failure| failure.text())?;
        check_lists(schema, &stored)?;
        match rules::broken_rule(schema, &stored, &self.patterns) {
            Some(broken) => Err(format!("`{}` breaks `{}`", broken.path, broken.rule.rule)),
            None => Ok(stored),
        }
    }
}

/// Reads numbers as Go does: an integer beyond `int64` is a float, and a float without a fraction is written without one.
fn decode(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(read) = decoded(number) {
                *number = read;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(decode),
        Value::Object(entries) => entries.values_mut().for_each(decode),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// A number as it is written again. Returns `None` if it stays as it is.
fn decoded(number: &Number) -> Option<Number> {
    if number.is_i64() {
        return None;
    }
    let float = number.as_f64()?;
    let text = format!("{float}");
    let whole = (float.fract() == 0.0).then(|| text.parse::<i64>().ok()).flatten();
    match whole {
        Some(whole) => Some(whole.into()),
        None => Number::from_f64(float),
    }
}

/// The schema of an entry, if there is one.
fn entry_schema<'s>(schema: &'s Schema, name: &str) -> Option<&'s Schema> {
    let property = schema.properties.get(name);
    property
        .or(schema.additional_properties.as_ref())
        .map(AsRef::as_ref)
}

/// Returns whether `value` is null and must not be.
fn is_forbidden_null(schema: &Schema, value: &Value) -> bool {
    value.is_null() && !schema.nullable
}

/// Mirrors `defaulting.Default`.
fn set_defaults(schema: &Schema, value: &mut Value) {
    match value {
        Value::Object(entries) => {
            for (name, property) in &schema.properties {
                let Some(default) = property.default.as_ref().filter(|default| !default.is_null()) else {
                    continue;
                };
                if entries
                    .get(name)
                    .is_none_or(|value| is_forbidden_null(property, value))
                {
                    entries.insert(name.clone(), default.clone());
                }
            }
            for (name, entry) in entries {
                if let Some(known) = entry_schema(schema, name) {
                    set_default(known, entry);
                }
            }
        }
        Value::Array(items) => {
            if let Some(known) = &schema.items {
                items.iter_mut().for_each(|item| set_default(known, item));
            }
        }
        _ => {}
    }
}

/// Sets the default of a value that is null and must not be, and the defaults inside it.
fn set_default(schema: &Schema, value: &mut Value) {
    if is_forbidden_null(schema, value)
        && let Some(default) = &schema.default
    {
        *value = default.clone();
    }
    set_defaults(schema, value);
}

/// Mirrors `defaulting.PruneNonNullableNullsWithoutDefaults`.
fn remove_nulls(schema: &Schema, value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|name, entry| {
                entry_schema(schema, name).is_none_or(|known| !is_forbidden_null(known, entry))
            });
            for (name, entry) in entries {
                if let Some(known) = entry_schema(schema, name) {
                    remove_nulls(known, entry);
                }
            }
        }
        Value::Array(items) => {
            if let Some(known) = &schema.items {
                items.iter_mut().for_each(|item| remove_nulls(known, item));
            }
        }
        _ => {}
    }
}

/// Mirrors `pruning.Prune`.
fn prune(schema: &Schema, value: &mut Value) {
    match value {
        Value::Object(entries) => {
            let is_kept = |name: &str| {
                schema.preserve_unknown_fields
                    || entry_schema(schema, name).is_some()
                    || (schema.embedded_resource && META_FIELDS.contains(&name))
            };
            entries.retain(|name, _| is_kept(name));
            prune_entries(schema, entries);
        }
        Value::Array(items) => {
            if let Some(known) = &schema.items {
                items.iter_mut().for_each(|item| prune(known, item));
            }
        }
        _ => {}
    }
}

fn prune_entries(schema: &Schema, entries: &mut Map<String, Value>) {
    for (name, entry) in entries {
        if let Some(known) = entry_schema(schema, name) {
            prune(known, entry);
        }
    }
}

/// Mirrors `listtype.ValidateListSetsAndMaps`: the items of sets and the keys of maps are unique.
fn check_lists(schema: &Schema, value: &Value) -> Result<(), String> {
    match value {
        Value::Object(entries) => {
            for (name, entry) in entries {
                if let Some(known) = entry_schema(schema, name) {
                    check_lists(known, entry)?;
                }
            }
        }
        Value::Array(items) => {
            let keys: Vec<Value> = match schema.list_type {
                Some(ListType::Set) => items.clone(),
                Some(ListType::Map) => items.iter().map(|item| keys_of(schema, item)).collect(),
                Some(ListType::Atomic) | None => Vec::new(),
            };
            for (index, key) in keys.iter().enumerate() {
                if keys.iter().take(index).any(|earlier| earlier == key) {
                    return Err(format!("the list has the key `{key}` twice"));
                }
            }
            if let Some(known) = &schema.items {
                items.iter().try_for_each(|item| check_lists(known, item))?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn keys_of(schema: &Schema, item: &Value) -> Value {
    let key = |name: &String| (name.clone(), item.get(name).cloned().unwrap_or_default());
    Value::Object(schema.list_map_keys.iter().map(key).collect())
}

#[cfg(test)]
mod tests;
