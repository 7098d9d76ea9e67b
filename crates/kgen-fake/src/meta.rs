//! Reads and changes the metadata of objects in JSON.

use serde_json::{Map, Value};

static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);

pub(crate) fn of(object: &Value) -> &Map<String, Value> {
    object
        .get("metadata")
        .and_then(Value::as_object)
        .unwrap_or(&EMPTY)
}

/// Returns the metadata of an object. Adds it if there is none.
pub(crate) fn of_mut(object: &mut Value) -> &mut Map<String, Value> {
    if !object.get("metadata").is_some_and(Value::is_object) {
        if !object.is_object() {
            *object = Value::Object(Map::new());
        }
        object["metadata"] = Value::Object(Map::new());
    }
    match object.get_mut("metadata") {
        Some(Value::Object(metadata)) => metadata,
        // It was just added.
        _ => unreachable!("the metadata is an object"),
    }
}

/// Returns a text of the metadata, empty if it is missing.
pub(crate) fn text<'o>(object: &'o Value, key: &str) -> &'o str {
    of(object).get(key).and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn name(object: &Value) -> &str {
    text(object, "name")
}

pub(crate) fn namespace(object: &Value) -> &str {
    text(object, "namespace")
}

pub(crate) fn uid(object: &Value) -> &str {
    text(object, "uid")
}

pub(crate) fn version(object: &Value) -> &str {
    text(object, "resourceVersion")
}

pub(crate) fn generation(object: &Value) -> i64 {
    of(object).get("generation").and_then(Value::as_i64).unwrap_or(0)
}

pub(crate) fn is_being_deleted(object: &Value) -> bool {
    of(object)
        .get("deletionTimestamp")
        .is_some_and(|time| !time.is_null())
}

pub(crate) fn finalizers(object: &Value) -> Vec<&str> {
    let finalizers = of(object).get("finalizers").and_then(Value::as_array);
    finalizers
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Sets the finalizers. An empty list is removed.
pub(crate) fn set_finalizers(object: &mut Value, finalizers: &[String]) {
    let metadata = of_mut(object);
    if finalizers.is_empty() {
        metadata.remove("finalizers");
    } else {
        metadata.insert("finalizers".to_owned(), Value::from(finalizers.to_vec()));
    }
}

pub(crate) fn owners(object: &Value) -> &[Value] {
    let owners = of(object).get("ownerReferences").and_then(Value::as_array);
    owners.map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn set(object: &mut Value, key: &str, value: impl Into<Value>) {
    of_mut(object).insert(key.to_owned(), value.into());
}

pub(crate) fn unset(object: &mut Value, key: &str) {
    of_mut(object).remove(key);
}

/// Copies a field of the metadata, or removes it if the other object has none.
pub(crate) fn copy(object: &mut Value, from: &Value, key: &str) {
    match of(from).get(key) {
        Some(value) => set(object, key, value.clone()),
        None => unset(object, key),
    }
}

/// Removes empty labels, annotations, owners and finalizers, which Go leaves out. Returns their names.
///
/// A server that applies a configuration with such a part stores it, because nothing decodes the merged object. It is gone when
/// the object is read, so the next write is a change even if it changes nothing else.
pub(crate) fn omit_empty(object: &mut Value) -> Vec<&'static str> {
    let mut omitted = Vec::new();
    for key in ["labels", "annotations", "ownerReferences", "finalizers"] {
        let is_empty = match of(object).get(key) {
            Some(Value::Object(entries)) => entries.is_empty(),
            Some(Value::Array(items)) => items.is_empty(),
            Some(other) => other.is_null(),
            None => false,
        };
        if is_empty {
            unset(object, key);
            omitted.push(key);
        }
    }
    omitted
}
