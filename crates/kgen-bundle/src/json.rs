//! Reads and builds JSON values.

use serde_json::{Map, Value};

/// Returns the text of a value; empty for other values.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns the items of a list; empty for other values.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Sets a key, unless the value is empty.
pub(crate) fn set(map: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    let value = value.into();
    let is_empty = match &value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        _ => false,
    };
    if !is_empty {
        map.insert(key.to_owned(), value);
    }
}

/// Copies the keys that a value has.
pub(crate) fn copy(from: &Value, keys: &[&str], to: &mut Map<String, Value>) {
    for key in keys {
        if let Some(value) = from.get(key) {
            set(to, key, value.clone());
        }
    }
}

/// Removes the annotations of cert-manager, and `annotations` if nothing else is in it.
pub(crate) fn without_cert_manager(metadata: &mut Value) {
    let Some(metadata) = metadata.as_object_mut() else {
        return;
    };
    if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
        annotations.retain(|key, _| !key.starts_with("cert-manager.io/"));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
}
