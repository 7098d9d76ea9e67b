//! JSON patches, merge patches and strategic merge patches, as functions on JSON.

use serde_json::Value;

mod json;
mod merge;
mod order;
mod strategic;

pub(crate) use json::{JsonPatchError, apply as apply_json};
pub(crate) use merge::apply as apply_merge;
pub(crate) use strategic::{StrategicPatchError, apply as apply_strategic};

/// Writes a value as Go's `%v` does.
pub(crate) fn go_value(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(_) => value.to_string(),
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.to_string(),
            None => kgen_schema::printed_float(number.as_f64().unwrap_or_default()),
        },
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(go_value).collect();
            format!("[{}]", items.join(" "))
        }
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            let entries: Vec<String> = entries
                .into_iter()
                .map(|(key, value)| format!("{key}:{}", go_value(value)))
                .collect();
            format!("map[{}]", entries.join(" "))
        }
    }
}

/// Returns the type that Go reads a JSON value as.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "%!s(<nil>)",
        Value::Bool(_) => "bool",
        Value::String(_) => "string",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}
