//! The cost of one call at run time, after `cel-go`'s cost tracker and the costs of Kubernetes' libraries.
//!
//! Where their versions differ, the lower cost counts.

use super::Value;

/// Returns the cost of a call with these arguments, the target first.
pub(super) fn call_cost(function: &str, values: &[Value]) -> u64 {
    match (function, values) {
        // The planner converts constants in advance.
        ("bool" | "double" | "dyn" | "int" | "string" | "uint", _) => 0,
        // A test for membership in a constant list costs nothing.
        ("@in", _) => 0,
        ("_==_" | "_!=_", [left, right]) => scaled(size(left).min(size(right)), 1),
        ("_<_" | "_<=_" | "_>_" | "_>=_", [left, right]) => match (left, right) {
            (Value::String(_) | Value::Bytes(_), _) => scaled(size(left).min(size(right)), 1),
            _ => 1,
        },
        ("_+_", [left @ (Value::String(_) | Value::Bytes(_)), right]) => {
            scaled(size(left).saturating_add(size(right)), 1)
        }
        ("startsWith" | "endsWith", [text, part]) => scaled(size(text).min(size(part)), 1),
        ("contains", [text, part]) => scaled(size(text), 1).saturating_mul(scaled(size(part), 1)),
        ("matches", [text, pattern]) => {
            let traversal = scaled(size(text).saturating_add(1), 1);
            traversal.saturating_mul(size(pattern).div_ceil(4))
        }
        ("lowerAscii" | "upperAscii" | "substring" | "trim", [text, ..]) => scaled(size(text), 1),
        ("replace" | "split", [text, ..]) => scaled(size(text), 2),
        ("sets.contains" | "sets.intersects", [left, right]) => size(left).saturating_mul(size(right)),
        ("sets.equivalent", [left, right]) => size(left).saturating_mul(size(right)).saturating_mul(2),
        ("join", [list, ..]) => scaled(joined_size(list), 1),
        ("isSorted" | "sum" | "min" | "max" | "indexOf" | "lastIndexOf", [value, ..]) => traversal(value),
        _ => 1,
    }
}

/// Tenths of a size, rounded up.
fn scaled(size: u64, tenths: u64) -> u64 {
    size.saturating_mul(tenths).div_ceil(10)
}

/// Returns the size as `cel-go` counts it: characters, bytes, items or entries, and 1 for values without parts.
fn size(value: &Value) -> u64 {
    let size = match value {
        Value::String(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.items().len(),
        Value::Map(entries) => entries.len(),
        Value::Unknown | Value::Object(_) => 0,
        _ => 1,
    };
    u64::try_from(size).unwrap_or(u64::MAX)
}

fn joined_size(value: &Value) -> u64 {
    match value {
        Value::List(list) => list.items().iter().map(size).fold(0, u64::saturating_add),
        _ => 0,
    }
}

/// Returns the cost of reading a list or a string. Lists within a list do not count, because they can share their
/// items.
fn traversal(value: &Value) -> u64 {
    match value {
        Value::List(list) => list.items().iter().map(scalar).fold(0, u64::saturating_add),
        value => scalar(value),
    }
}

fn scalar(value: &Value) -> u64 {
    match value {
        Value::String(_) | Value::Bytes(_) => size(value) / 10,
        Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) => 1,
        _ => 0,
    }
}
