//! Sizes, types, maps, and access to optional values.

use std::sync::Arc;

use super::meter::Meter;
use super::{EvaluateError, Outcome, Value, fail};

/// Calls a function. Returns `None` if it is not one of these.
pub(super) fn call(function: &str, values: &[Value], meter: &mut Meter) -> Option<Outcome> {
    Some(match (function, values) {
        ("dyn", [value]) => Ok(value.clone()),
        ("type", [value]) => match value.type_name() {
            Some(name) => Ok(Value::Type(name)),
            None => Err(EvaluateError::NotKnown),
        },
        ("size", [value]) => return size(value),
        ("cel.@mapInsert", [Value::Map(entries), key, value]) => {
            inserted(entries, &[(key.clone(), value.clone())], meter)
        }
        ("cel.@mapInsert", [Value::Map(entries), Value::Map(more)]) => inserted(entries, more, meter),
        ("optional.none", []) => Ok(Value::Optional(None)),
        ("optional.of", [value]) => Ok(Value::some(value.clone())),
        ("optional.ofNonZeroValue", [value]) => non_zero(value),
        ("optional.unwrap" | "unwrapOpt", [Value::List(list)]) => {
            let mut items = Vec::with_capacity(list.items().len());
            for item in list.items() {
                match item {
                    Value::Optional(inner) => items.extend(inner.as_deref().cloned()),
                    _ => return Some(Err(EvaluateError::NotKnown)),
                }
            }
            Ok(Value::list(items))
        }
        ("hasValue", [Value::Optional(inner)]) => Ok(Value::Bool(inner.is_some())),
        ("value", [Value::Optional(Some(inner))]) => Ok(inner.as_ref().clone()),
        ("value", [Value::Optional(None)]) => {
            fail("the optional value is empty", "optional.none() dereference")
        }
        _ => return None,
    })
}

fn size(value: &Value) -> Option<Outcome> {
    Some(Ok(Value::count(match value {
        Value::String(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.items().len(),
        Value::Map(entries) => entries.len(),
        Value::Object(fields) => fields.len(),
        _ => return None,
    })))
}

/// Returns a map with more entries. Fails if a key already exists.
fn inserted(entries: &[(Value, Value)], more: &[(Value, Value)], meter: &mut Meter) -> Outcome {
    meter.allocate_items(entries.len().saturating_add(more.len()).saturating_mul(2))?;
    let mut map = entries.to_vec();
    for (key, value) in more {
        for (known, _) in &map {
            if known.equals(key, meter)? {
                let key = super::operators::shown_key(key);
                return fail(
                    "a map has two entries with the same key",
                    format!("insert failed: key {key} already exists"),
                );
            }
        }
        map.push((key.clone(), value.clone()));
    }
    Ok(Value::Map(Arc::new(map)))
}

fn non_zero(value: &Value) -> Outcome {
    let is_zero = match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
        Value::Uint(value) => *value == 0,
        Value::Double(value) => *value == 0.0,
        Value::String(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        // Lists and maps of a schema are never zero in `cel-go`.
        Value::List(list) => list.items().is_empty() && !list.is_of_schema(),
        Value::Map(entries) => entries.is_empty(),
        Value::Duration(nanoseconds) => *nanoseconds == 0,
        Value::Timestamp(timestamp) => timestamp.is_zero(),
        Value::Object(_) | Value::Optional(_) | Value::Type(_) | Value::Extension(_) => false,
        Value::Unknown => return Err(EvaluateError::NotKnown),
    };
    Ok(Value::Optional((!is_zero).then(|| Arc::new(value.clone()))))
}
