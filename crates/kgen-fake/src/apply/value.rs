//! Equality, order and text of JSON values as structured-merge-diff defines them.
//!
//! Numbers are compared by their value, so `1` and `1.0` are equal. The order is the one in which the API server sorts the
//! elements of sets: numbers, strings, booleans, lists, maps, null.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

/// Returns whether two values are equal.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Number(left), Value::Number(right)) => order_numbers(left, right).is_eq(),
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Null, Value::Null) => true,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            // The entries of equal maps usually have the same order.
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|((name, value), (other_name, other))| {
                        if name == other_name {
                            equal(value, other)
                        } else {
                            right.get(name).is_some_and(|other| equal(value, other))
                        }
                    })
        }
        _ => false,
    }
}

/// Compares two values.
pub(crate) fn order(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::String(left), Value::String(right)) => left.as_bytes().cmp(right.as_bytes()),
        (Value::Number(left), Value::Number(right)) => order_numbers(left, right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Array(left), Value::Array(right)) => {
            let pairs = left.iter().zip(right).map(|(left, right)| order(left, right));
            let first = pairs.into_iter().find(|order| order.is_ne());
            first.unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        (Value::Object(left), Value::Object(right)) => order_maps(left, right),
        _ => rank(left).cmp(&rank(right)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Bool(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
        Value::Null => 5,
    }
}

fn order_numbers(left: &Number, right: &Number) -> Ordering {
    match (left.as_i64(), right.as_i64()) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => {
            let (left, right) = (left.as_f64(), right.as_f64());
            left.partial_cmp(&right).unwrap_or(Ordering::Equal)
        }
    }
}

fn order_maps(left: &Map<String, Value>, right: &Map<String, Value>) -> Ordering {
    let sorted = |map: &'_ Map<String, Value>| {
        let mut names: Vec<_> = map.keys().cloned().collect();
        names.sort_unstable();
        names
    };
    let (left_names, right_names) = (sorted(left), sorted(right));
    for (left_name, right_name) in left_names.iter().zip(&right_names) {
        let values = || match (left.get(left_name), right.get(right_name)) {
            (Some(left), Some(right)) => order(left, right),
            _ => Ordering::Equal,
        };
        let found = left_name.cmp(right_name).then_with(values);
        if found.is_ne() {
            return found;
        }
    }
    left_names.len().cmp(&right_names.len())
}

/// Prints a value as it is shown in a path.
pub(crate) fn printed(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.to_string(),
            None => kgen_schema::printed_float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => kgen_schema::quoted(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(printed).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(entries) => {
            let entries = entries.iter();
            entries
                .map(|(name, value)| format!("{name}={}", printed(value)))
                .collect()
        }
    }
}

/// Writes a value as it is written within the name of an element, with Go's escapes.
pub(crate) fn written(value: &Value) -> String {
    match value {
        Value::String(text) if text.bytes().all(is_plain) => format!("\"{text}\""),
        Value::Number(number) if number.is_i64() => number.to_string(),
        value => kgen_schema::go_json(value),
    }
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&')
}
