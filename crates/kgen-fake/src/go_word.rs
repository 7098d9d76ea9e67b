//! The words of Go's `encoding/json` for the types of values, as its errors have them.

use serde_json::Value;

/// Returns the word for the type of a value.
pub(crate) fn go_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
