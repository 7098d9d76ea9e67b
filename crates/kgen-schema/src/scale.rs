//! The fields that the scale subresource reads.
//!
//! Mirrors `ValidateScaleSpec` and `ValidateScaleStatus` of the API server.

use serde_json::Value;

use crate::error::FieldError;
use crate::go_text;

/// The paths of `subresources.scale`.
#[derive(Debug)]
pub(crate) struct Scale {
    spec_replicas: String,
    status_replicas: String,
    label_selector: Option<String>,
}

impl Scale {
    pub(crate) fn read(json: &Value) -> Option<Self> {
        let path = |key: &str| json.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            spec_replicas: path("specReplicasPath")?,
            status_replicas: path("statusReplicasPath")?,
            label_selector: path("labelSelectorPath"),
        })
    }

    pub(crate) fn check(&self, object: &Value, errors: &mut Vec<FieldError>) {
        for path in [&self.spec_replicas, &self.status_replicas] {
            let (value, detail) = match find(object, path) {
                Err(message) => (0, message),
                Ok(None) => continue,
                Ok(Some(found)) => match found.as_i64() {
                    Some(count @ ..0) => (count, "should be a non-negative integer".to_owned()),
                    Some(count) if i32::try_from(count).is_err() => {
                        (count, "should be less than or equal to 2147483647".to_owned())
                    }
                    Some(_) => continue,
                    None => (0, wrong_type(path, found, "int64")),
                },
            };
            errors.push(FieldError::invalid(path.as_str(), &Value::from(value), detail));
        }
        if let Some(path) = &self.label_selector {
            let detail = match find(object, path) {
                Err(message) => message,
                Ok(Some(found)) if !found.is_string() => wrong_type(path, found, "string"),
                Ok(_) => return,
            };
            errors.push(FieldError::invalid_text(path.as_str(), "", detail));
        }
    }
}

/// Finds the value at a path of names after dots. Fails if a value on the way is not an object.
fn find<'v>(object: &'v Value, path: &str) -> Result<Option<&'v Value>, String> {
    let names: Vec<_> = path.trim_start_matches('.').split('.').collect();
    let mut value = object;
    for (index, name) in names.iter().enumerate() {
        let Value::Object(entries) = value else {
            if value.is_null() {
                return Ok(None);
            }
            let so_far = names.get(..=index).unwrap_or_default().join(".");
            return Err(wrong_type(&so_far, value, "map[string]interface{}"));
        };
        match entries.get(*name) {
            Some(found) => value = found,
            None => return Ok(None),
        }
    }
    Ok(Some(value))
}

fn wrong_type(path: &str, value: &Value, expected: &str) -> String {
    let path = path.trim_start_matches('.');
    let go_type = match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    };
    let shown = match value {
        Value::String(text) => text.clone(),
        Value::Null => "<nil>".to_owned(),
        value => go_value(value),
    };
    format!(".{path} accessor error: {shown} is of the type {go_type}, expected {expected}")
}

/// Returns a value as Go's `%v` shows it.
fn go_value(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("{key}:{}", go_value(value)));
            format!("map[{}]", entries.collect::<Vec<_>>().join(" "))
        }
        Value::Array(items) => {
            let items = items.iter().map(go_value);
            format!("[{}]", items.collect::<Vec<_>>().join(" "))
        }
        Value::String(text) => text.clone(),
        Value::Null => "<nil>".to_owned(),
        value => go_text::shown(value),
    }
}
