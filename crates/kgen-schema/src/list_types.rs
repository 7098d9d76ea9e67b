//! Lists whose items are unique, and lists whose items are identified by keys.
//!
//! Mirrors `listtype.ValidateListSetsAndMaps` of the API server.

use serde_json::{Map, Value};

use crate::error::{ErrorKind, FieldError};
use crate::path::Path;
use crate::schema::{ListType, Schema};
use crate::validate::sorted;

/// Finds the items that occur twice, in this value and everything within it.
pub(crate) fn check(schema: &Schema, value: &Value, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match value {
        Value::Object(entries) => {
            if let Some(other) = schema.additional_schema() {
                for (name, entry) in sorted(entries) {
                    check(other, entry, &path.key(name), errors);
                }
            }
            for (name, property) in &schema.properties {
                if let Some(entry) = entries.get(name) {
                    check(property, entry, &path.property(name), errors);
                }
            }
        }
        Value::Array(items) => {
            match schema.list_type {
                ListType::Set => check_set(items, path, errors),
                ListType::Map => check_map(schema, items, path, errors),
                ListType::Atomic => {}
            }
            if let Some(expected) = &schema.items {
                for (index, item) in items.iter().enumerate() {
                    check(expected, item, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

fn check_set(items: &[Value], path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let items: Vec<_> = items.iter().map(Some).collect();
    for index in second_occurrences(&items) {
        let shown = items.get(index).copied().flatten().unwrap_or(&Value::Null);
        errors.push(duplicate(path, index, shown));
    }
}

fn check_map(schema: &Schema, items: &[Value], path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let wrong = items
        .iter()
        .enumerate()
        .find(|(_, item)| !item.is_null() && !item.is_object());
    if let Some((index, item)) = wrong {
        let field = path.index(index).bracketed();
        errors.push(FieldError::invalid(
            field,
            item,
            "must be an object for an array of list-type map",
        ));
        return;
    }
    let keys = items.iter().map(|item| {
        let key = |name: &String| Some((name.clone(), item.get(name)?.clone()));
        Value::Object(schema.list_map_keys.iter().filter_map(key).collect::<Map<_, _>>())
    });
    let keys: Vec<_> = keys.collect();
    let compared: Vec<_> = keys.iter().map(Some).collect();
    for index in second_occurrences(&compared) {
        if let Some(key) = keys.get(index) {
            errors.push(duplicate(path, index, key));
        }
    }
}

fn duplicate(path: &Path<'_>, index: usize, value: &Value) -> FieldError {
    FieldError::new(ErrorKind::Duplicate, path.index(index).bracketed(), "").with_json(value)
}

/// Returns the index of the second occurrence of every value that occurs more than once.
fn second_occurrences(values: &[Option<&Value>]) -> Vec<usize> {
    let mut counts = std::collections::HashMap::with_capacity(values.len());
    let mut found = Vec::new();
    for (index, value) in values.iter().enumerate() {
        // The text identifies a value, and tells `1` from `1.0`, as the API server does for scalars.
        let text = value.map(Value::to_string);
        let count = counts.entry(text).or_insert(0_usize);
        *count += 1;
        if *count == 2 {
            found.push(index);
        }
    }
    found
}
