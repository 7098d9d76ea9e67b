//! Conversions, sizes, and what optional values hold.

use std::rc::Rc;

use super::operators::overflow;
use super::{Outcome, Stop, Value, fail};

/// What a function gives; nothing if it is none of these.
pub(super) fn call(function: &str, values: &[Value]) -> Option<Outcome> {
    Some(match (function, values) {
        ("dyn", [value]) => Ok(value.clone()),
        ("size", [value]) => size(value),
        ("int", [value]) => to_int(value),
        ("double", [value]) => to_double(value),
        ("bool", [value]) => to_bool(value),
        ("string", [value]) => to_text(value),
        ("optional.none", []) => Ok(Value::Optional(None)),
        ("optional.of", [value]) => Ok(Value::Optional(Some(Rc::new(value.clone())))),
        ("optional.ofNonZeroValue", [value]) => non_zero(value),
        ("hasValue", [Value::Optional(inner)]) => Ok(Value::Bool(inner.is_some())),
        ("value", [Value::Optional(Some(inner))]) => Ok(inner.as_ref().clone()),
        ("value", [Value::Optional(None)]) => fail("the optional value holds nothing"),
        ("or" | "orValue", [Value::Optional(None), other]) => Ok(other.clone()),
        _ => return None,
    })
}

fn size(value: &Value) -> Outcome {
    match value {
        Value::Text(text) => Ok(Value::count(text.chars().count())),
        Value::Bytes(bytes) => Ok(Value::count(bytes.len())),
        Value::List(list) => Ok(Value::count(list.items.len())),
        Value::Map(entries) => Ok(Value::count(entries.len())),
        _ => Err(Stop::Unknown),
    }
}

fn to_int(value: &Value) -> Outcome {
    match value {
        Value::Int(_) => Ok(value.clone()),
        Value::Uint(value) => {
            i64::try_from(*value).map_or_else(|_| overflow(), |value| Ok(Value::Int(value)))
        }
        Value::Text(text) => match text.parse() {
            Ok(value) => Ok(Value::Int(value)),
            Err(_) => fail(format!("`{text}` is no integer")),
        },
        _ => Err(Stop::Unknown),
    }
}

fn to_double(value: &Value) -> Outcome {
    match value {
        Value::Double(_) => Ok(value.clone()),
        Value::Int(value) => Ok(Value::Double(*value as f64)),
        Value::Uint(value) => Ok(Value::Double(*value as f64)),
        _ => Err(Stop::Unknown),
    }
}

fn to_bool(value: &Value) -> Outcome {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        Value::Text(text) => match text.as_ref() {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(Value::Bool(false)),
            _ => fail(format!("`{text}` is neither `true` nor `false`")),
        },
        _ => Err(Stop::Unknown),
    }
}

fn to_text(value: &Value) -> Outcome {
    match value {
        Value::Text(_) => Ok(value.clone()),
        Value::Int(value) => Ok(Value::text(&value.to_string())),
        Value::Uint(value) => Ok(Value::text(&value.to_string())),
        Value::Bool(value) => Ok(Value::text(&value.to_string())),
        _ => Err(Stop::Unknown),
    }
}

fn non_zero(value: &Value) -> Outcome {
    let is_zero = match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
        Value::Uint(value) => *value == 0,
        Value::Text(text) => text.is_empty(),
        Value::List(list) => list.items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => return Err(Stop::Unknown),
    };
    Ok(Value::Optional((!is_zero).then(|| Rc::new(value.clone()))))
}
