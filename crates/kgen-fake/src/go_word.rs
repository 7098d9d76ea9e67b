//! The words of Go's `encoding/json` in its errors.

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

/// Returns the message about text that is not JSON.
pub(crate) fn go_json_error(error: &serde_json::Error) -> String {
    match error.classify() {
        serde_json::error::Category::Eof => "unexpected end of JSON input".to_owned(),
        _ => error.to_string(),
    }
}
