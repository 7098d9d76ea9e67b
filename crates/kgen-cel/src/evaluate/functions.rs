//! Conversions, sizes, and access to optional values.

use std::sync::Arc;

use super::operators::overflow;
use super::{EvaluateError, Outcome, Value, fail};

/// Calls a function. Returns `None` if it is not one of these.
pub(super) fn call(function: &str, values: &[Value]) -> Option<Outcome> {
    Some(match (function, values) {
        ("dyn", [value]) => Ok(value.clone()),
        ("type", [value]) => match value.type_name() {
            Some(name) => Ok(Value::Type(name)),
            None => Err(EvaluateError::NotKnown),
        },
        ("size", [value]) => size(value),
        ("int", [value]) => to_int(value),
        ("double", [value]) => to_double(value),
        ("bool", [value]) => to_bool(value),
        ("string", [value]) => to_text(value),
        ("optional.none", []) => Ok(Value::Optional(None)),
        ("optional.of", [value]) => Ok(Value::Optional(Some(Arc::new(value.clone())))),
        ("optional.ofNonZeroValue", [value]) => non_zero(value),
        ("hasValue", [Value::Optional(inner)]) => Ok(Value::Bool(inner.is_some())),
        ("value", [Value::Optional(Some(inner))]) => Ok(inner.as_ref().clone()),
        ("value", [Value::Optional(None)]) => {
            fail("the optional value is empty", "optional.none() dereference")
        }
        _ => return None,
    })
}

fn size(value: &Value) -> Outcome {
    match value {
        Value::String(text) => Ok(Value::count(text.chars().count())),
        Value::Bytes(bytes) => Ok(Value::count(bytes.len())),
        Value::List(list) => Ok(Value::count(list.items().len())),
        Value::Map(entries) => Ok(Value::count(entries.len())),
        _ => Err(EvaluateError::NotKnown),
    }
}

fn to_int(value: &Value) -> Outcome {
    match value {
        Value::Int(_) => Ok(value.clone()),
        Value::Uint(value) => {
            i64::try_from(*value).map_or_else(|_| overflow("integer overflow"), |value| Ok(Value::Int(value)))
        }
        Value::String(text) => match text.parse() {
            Ok(value) => Ok(Value::Int(value)),
            Err(_) => not_convertible(format!("`{text}` is not an integer"), "int"),
        },
        _ => Err(EvaluateError::NotKnown),
    }
}

fn not_convertible(message: String, wanted: &str) -> Outcome {
    fail(
        message,
        format!("type conversion error from 'string' to '{wanted}'"),
    )
}

fn to_double(value: &Value) -> Outcome {
    match value {
        Value::Double(_) => Ok(value.clone()),
        Value::Int(value) => Ok(Value::Double(*value as f64)),
        Value::Uint(value) => Ok(Value::Double(*value as f64)),
        _ => Err(EvaluateError::NotKnown),
    }
}

fn to_bool(value: &Value) -> Outcome {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        Value::String(text) => match text.as_ref() {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(Value::Bool(false)),
            _ => not_convertible(format!("`{text}` is neither `true` nor `false`"), "bool"),
        },
        _ => Err(EvaluateError::NotKnown),
    }
}

fn to_text(value: &Value) -> Outcome {
    match value {
        Value::String(_) => Ok(value.clone()),
        Value::Int(value) => Ok(Value::text(&value.to_string())),
        Value::Uint(value) => Ok(Value::text(&value.to_string())),
        Value::Bool(value) => Ok(Value::text(&value.to_string())),
        _ => Err(EvaluateError::NotKnown),
    }
}

fn non_zero(value: &Value) -> Outcome {
    let is_zero = match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
        Value::Uint(value) => *value == 0,
        Value::String(text) => text.is_empty(),
        Value::List(list) => list.items().is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => return Err(EvaluateError::NotKnown),
    };
    Ok(Value::Optional((!is_zero).then(|| Arc::new(value.clone()))))
}
