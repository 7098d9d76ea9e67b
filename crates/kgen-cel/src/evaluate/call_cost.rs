//! The cost of one call at run time, after `cel-go`'s cost tracker and the costs of Kubernetes' libraries.
//!
//! Where their versions differ, the lower cost counts.

use crate::library::width;

use super::Value;
use super::extension::{Extension, Kind};
use super::sort::is_comparable;

/// Returns the cost of a call with these arguments, the target first.
pub(super) fn call_cost(function: &str, values: &[Value]) -> u64 {
    match (function, values) {
        ("bytes", [Value::String(_)]) | ("string", [Value::Bytes(_)]) => {
            scaled(values.first().map_or(0, size), 1)
        }
        ("@in", [_, list @ Value::List(_)]) => size(list),
        ("_==_", [Value::Extension(_), _]) => 1,
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
        ("isSorted" | "sum" | "min" | "max" | "indexOf" | "lastIndexOf" | "includes", [value, ..]) => {
            traversal(value)
        }
        ("find" | "findAll", [text, pattern, ..]) => {
            scaled(size(text).saturating_add(1), 1).saturating_mul(size(pattern).div_ceil(4))
        }
        ("ip", [Value::Extension(_)]) => 1,
        (
            "url" | "cidr" | "ip" | "isIP" | "isCIDR" | "quantity" | "isQuantity" | "semver" | "isSemver",
            [text, ..],
        ) => scaled(size(text), 1),
        ("ip.isCanonical", [text]) => scaled(size(text), 2),
        ("containsIP" | "containsCIDR", [network, other]) => contains_cost(function, network, other),
        ("validate", [Value::Extension(Extension(Kind::Format(format))), text]) => {
            let traversal = scaled(size(text).saturating_add(1), 1);
            traversal.saturating_mul(format.pattern_length.div_ceil(4))
        }
        ("strings.quote" | "format", [value, ..]) => scaled(size(value), 1),
        ("lists.range", [Value::Int(count)]) => allocating(u64::try_from(*count).unwrap_or(0)),
        ("slice", [list, Value::Int(start), Value::Int(end)]) => {
            match (u64::try_from(*start), u64::try_from(*end)) {
                (Ok(start), Ok(end)) if start <= end && end <= size(list) => allocating(end - start),
                // A failure counts as one item.
                _ => allocating(1),
            }
        }
        ("reverse" | "flatten", [list]) => allocating(size(list)),
        ("flatten", [list, Value::Int(depth)]) => {
            allocating(size(list).saturating_mul(u64::try_from(*depth).unwrap_or(1)))
        }
        ("distinct", [list]) => comparing(list),
        ("sort", [list]) | ("@sortByAssociatedKeys", [_, list]) if can_be_sorted(list) => comparing(list),
        _ => 1,
    }
}

/// Returns the cost of creating a list.
fn allocating(size: u64) -> u64 {
    size.saturating_add(11)
}

/// Returns whether all items have the same type, and an order.
fn can_be_sorted(list: &Value) -> bool {
    let Value::List(list) = list else { return false };
    let types = list.items().iter().map(Value::type_name);
    list.items().iter().all(is_comparable)
        && types
            .clone()
            .zip(types.skip(1))
            .all(|(left, right)| left == right)
}

/// Returns the cost of comparing all items of a list with each other.
fn comparing(list: &Value) -> u64 {
    let pairs = size(list).saturating_mul(size(list));
    let Value::List(items) = list else { return 1 };
    let is_text = matches!(items.items().first(), Some(Value::String(_) | Value::Bytes(_)));
    let compared = pairs.saturating_mul(2);
    allocating(if is_text {
        compared.saturating_add(pairs / 10)
    } else {
        compared
    })
}

fn contains_cost(function: &str, network: &Value, other: &Value) -> u64 {
    let own = size(network);
    let mut cost = scaled(own.saturating_mul(2), 1);
    if function == "containsCIDR" {
        cost = cost.saturating_add(scaled(own, 1)).saturating_add(1);
    }
    if let Value::String(_) = other {
        cost = cost.saturating_add(scaled(size(other), 1));
    }
    cost
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
        Value::Optional(Some(value)) => return size(value),
        Value::Extension(Extension(Kind::Ip(address))) => usize::from(width(*address) / 8),
        Value::Extension(Extension(Kind::Cidr(network))) => usize::from(network.bits.div_ceil(8)),
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
