//! Sorts lists.

use std::cmp::Ordering;

use super::{EvaluateError, Outcome, Value, fail_alike};

/// Go sorts this many items with a stable algorithm.
const STABLE: usize = 12;

/// Sorts items by their keys, of which there are as many.
pub(super) fn sorted(items: &[Value], keys: &[Value]) -> Outcome {
    let Some(first) = keys.first() else {
        return Ok(Value::list(Vec::new()));
    };
    let Some(type_name) = first.type_name() else {
        return Err(EvaluateError::NotKnown);
    };
    if !is_comparable(first) {
        return fail_alike("list elements must be comparable");
    }
    for key in keys {
        match key.type_name() {
            None => return Err(EvaluateError::NotKnown),
            Some(name) if name != type_name => return fail_alike("list elements must have the same type"),
            Some(_) => {}
        }
    }
    let mut pairs: Vec<(&Value, &Value)> = keys.iter().zip(items).collect();
    // Numbers that are not ordered stay where they are, which depends on the algorithm.
    let mut is_unordered = false;
    pairs.sort_by(|(left, _), (right, _)| match left.order(right) {
        Ok(Some(order)) => order,
        _ => {
            is_unordered = true;
            Ordering::Equal
        }
    });
    // Equal keys that are the items themselves cannot be told apart.
    let is_ambiguous = pairs.len() > STABLE
        && !std::ptr::eq(items, keys)
        && pairs.windows(2).any(|pair| match pair {
            [(left, _), (right, _)] => left.order(right) == Ok(Some(Ordering::Equal)),
            _ => false,
        });
    if is_unordered || is_ambiguous {
        return Err(EvaluateError::NotKnown);
    }
    Ok(Value::list(
        pairs.into_iter().map(|(_, item)| item.clone()).collect(),
    ))
}

/// Returns whether values of this type have an order.
pub(super) fn is_comparable(value: &Value) -> bool {
    matches!(
        value,
        Value::Bool(_)
            | Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Timestamp(_)
            | Value::Duration(_)
    )
}
