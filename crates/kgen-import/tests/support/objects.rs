//! Objects that go through imported types: which ones to try, and when they are unchanged.

use serde_json::Value;

/// How `Time` writes a time, and how a sample has it: the known gap.
const TIME: (&str, &str) = ("2026-01-02T02:04:05Z", "2026-01-02T03:04:05.678+01:00");

/// Returns whether an object has an integer beyond 32 bits, which `IntOrString` cannot read: the other known gap.
pub fn has_large_integer(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_i64()
            .is_some_and(|number| i32::try_from(number).is_err()),
        Value::Array(items) => items.iter().any(has_large_integer),
        Value::Object(entries) => entries.values().any(has_large_integer),
        _ => false,
    }
}

/// Returns whether a value is written as it was read. A quantity is always written as a string, as Kubernetes does.
pub fn is_same(written: &Value, read: &Value) -> bool {
    match (written, read) {
        (Value::String(written), Value::String(read)) if (written.as_str(), read.as_str()) == TIME => true,
        (Value::Number(written), Value::Number(read)) => written.as_f64() == read.as_f64(),
        (Value::String(written), Value::Number(read)) => *written == read.to_string(),
        (Value::Array(written), Value::Array(read)) => {
            written.len() == read.len()
                && written
                    .iter()
                    .zip(read)
                    .all(|(written, read)| is_same(written, read))
        }
        (Value::Object(written), Value::Object(read)) => {
            // To the API server, a null without a default means the same as an absent field.
            let null = Value::Null;
            let is_there = |(key, read)| is_same(written.get(key).unwrap_or(&null), read);
            written.keys().all(|key| read.contains_key(key)) && read.iter().all(is_there)
        }
        _ => written == read,
    }
}
