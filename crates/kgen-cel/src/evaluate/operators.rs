//! Operators, and access to fields and items, also optional ones.

use std::cmp::Ordering;
use std::sync::Arc;

use super::meter::Meter;
use super::{EvaluateError, Outcome, Value, fail, fail_alike, no_such_overload, times};

/// Applies an operator. Returns `None` if the function is not an operator.
pub(super) fn call(function: &str, values: &[Value], meter: &mut Meter) -> Option<Outcome> {
    Some(match (function, values) {
        ("!_", [value]) => super::boolean(value.clone()).map(|value| Value::Bool(!value)),
        ("-_", [value]) => negated(value),
        ("_==_", [left, right]) => left.equals(right, meter).map(Value::Bool),
        // Values that cannot be compared are not equal.
        ("_!=_", [left, right]) => is_same(left, right, meter).map(|equal| Value::Bool(!equal)),
        ("_<_", [left, right]) => compared(left, right, Ordering::is_lt),
        ("_<=_", [left, right]) => compared(left, right, Ordering::is_le),
        ("_>_", [left, right]) => compared(left, right, Ordering::is_gt),
        ("_>=_", [left, right]) => compared(left, right, Ordering::is_ge),
        ("@in", [value, within]) => contains(within, value, meter).map(Value::Bool),
        ("_+_", [left, right]) => sum(left, right, meter),
        ("_-_" | "_*_" | "_/_" | "_%_", [left, right]) => arithmetic(function, left, right),
        ("_[?_]", [value, index]) => optional_at(value, index, meter),
        ("_?._", [value, Value::String(field)]) => optional_field(value, field, meter),
        _ => return None,
    })
}

fn compared(left: &Value, right: &Value, holds: impl Fn(Ordering) -> bool) -> Outcome {
    match left.order(right)? {
        Some(order) => Ok(Value::Bool(holds(order))),
        None => fail_alike("NaN values cannot be ordered"),
    }
}

/// Returns whether two values are equal. Values that cannot be compared are not equal.
pub(super) fn is_same(left: &Value, right: &Value, meter: &mut Meter) -> Outcome<bool> {
    match left.equals(right, meter) {
        Err(EvaluateError::Failed(_)) => Ok(false),
        outcome => outcome,
    }
}

fn negated(value: &Value) -> Outcome {
    match value {
        Value::Int(value) => value
            .checked_neg()
            .map_or_else(|| overflow("integer overflow"), |value| Ok(Value::Int(value))),
        Value::Double(value) => Ok(Value::Double(-value)),
        Value::Duration(value) => value.checked_neg().map_or_else(
            || overflow("integer overflow"),
            |value| Ok(Value::Duration(value)),
        ),
        Value::Unknown => Err(EvaluateError::NotKnown),
        _ => no_such_overload(),
    }
}

/// Fails because a number is too large. `cel-go` tells apart which numbers overflow.
pub(super) fn overflow<T>(server_message: &str) -> Outcome<T> {
    fail("the number is too large", server_message)
}

pub(super) fn sum(left: &Value, right: &Value, meter: &mut Meter) -> Outcome {
    match (left, right) {
        (Value::String(left), Value::String(right)) => {
            meter.allocate(left.len().saturating_add(right.len()))?;
            Ok(Value::text(&format!("{left}{right}")))
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            meter.allocate(left.len().saturating_add(right.len()))?;
            Ok(Value::Bytes([left.as_ref(), right].concat().into()))
        }
        (Value::List(left), Value::List(right)) => left.joined(right, meter),
        _ => arithmetic("_+_", left, right),
    }
}

fn arithmetic(operator: &str, left: &Value, right: &Value) -> Outcome {
    match (left, right) {
        // The quotient would be too large, so `cel-go` does not compute the rest either.
        (Value::Int(i64::MIN), Value::Int(-1)) if operator == "_%_" => overflow("integer overflow"),
        (Value::Int(left), Value::Int(right)) => {
            let result = whole(operator, i128::from(*left), i128::from(*right))?;
            i64::try_from(result)
                .map_or_else(|_| overflow("integer overflow"), |result| Ok(Value::Int(result)))
        }
        (Value::Uint(left), Value::Uint(right)) => {
            let result = whole(operator, i128::from(*left), i128::from(*right))?;
            let too_large = || overflow("unsigned integer overflow");
            u64::try_from(result).map_or_else(|_| too_large(), |result| Ok(Value::Uint(result)))
        }
        (Value::Double(left), Value::Double(right)) => match operator {
            "_+_" => Ok(Value::Double(left + right)),
            "_-_" => Ok(Value::Double(left - right)),
            "_*_" => Ok(Value::Double(left * right)),
            "_/_" => Ok(Value::Double(left / right)),
            _ => no_such_overload(),
        },
        (Value::Unknown, _) | (_, Value::Unknown) => Err(EvaluateError::NotKnown),
        _ => times::arithmetic(operator, left, right).unwrap_or_else(no_such_overload),
    }
}

/// Applies an operator to two 64-bit integers. The caller checks whether the result fits into 64 bits.
fn whole(operator: &str, left: i128, right: i128) -> Outcome<i128> {
    let result = match operator {
        "_+_" => left.checked_add(right),
        "_-_" => left.checked_sub(right),
        "_*_" => left.checked_mul(right),
        "_/_" if right == 0 => return fail("division by zero", "division by zero"),
        "_%_" if right == 0 => return fail("division by zero", "modulus by zero"),
        "_/_" => left.checked_div(right),
        _ => left.checked_rem(right),
    };
    result.map_or_else(|| overflow("integer overflow"), Ok)
}

/// Returns whether a value is an item of a list or a key of a map.
pub(super) fn contains(within: &Value, value: &Value, meter: &mut Meter) -> Outcome<bool> {
    match within {
        Value::List(list) => {
            let mut unknown = false;
            for item in list.items() {
                match item.equals(value, meter) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(EvaluateError::NotKnown) => unknown = true,
                    Err(stop) => return Err(stop),
                }
            }
            if unknown {
                Err(EvaluateError::NotKnown)
            } else {
                Ok(false)
            }
        }
        Value::Map(entries) => Ok(entry(entries, value, meter)?.is_some()),
        Value::Object(fields) => match value {
            Value::String(name) => Ok(fields.contains_key(name.as_ref())),
            _ => Err(EvaluateError::NotKnown),
        },
        Value::Unknown => Err(EvaluateError::NotKnown),
        _ => no_such_overload(),
    }
}

/// Returns the value of a key.
pub(super) fn entry<'m>(
    entries: &'m [(Value, Value)],
    key: &Value,
    meter: &mut Meter,
) -> Outcome<Option<&'m Value>> {
    for (known, value) in entries {
        if known.equals(key, meter)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Returns an item or an entry, if it exists.
fn find(value: &Value, index: &Value, meter: &mut Meter) -> Outcome<Option<Value>> {
    match (value, index) {
        (Value::List(list), Value::Int(index)) => {
            let item = usize::try_from(*index)
                .ok()
                .and_then(|index| list.items().get(index));
            Ok(item.cloned())
        }
        // A list also takes other numbers, if they are whole.
        (Value::List(_), Value::Uint(index)) => {
            let index = Value::Int(i64::try_from(*index).unwrap_or(-1));
            find(value, &index, meter)
        }
        (Value::List(_), Value::Double(index)) if index.fract() == 0.0 => {
            find(value, &Value::Int(*index as i64), meter)
        }
        (Value::List(_), Value::Double(index)) => fail_alike(format!(
            "unsupported index value {} in list",
            crate::go_text::printed_float(*index)
        )),
        (Value::List(_), index) => match index.type_name() {
            Some(name) => fail_alike(format!("unsupported index type '{name}' in list")),
            None => Err(EvaluateError::NotKnown),
        },
        (Value::Map(entries), key) => Ok(entry(entries, key, meter)?.cloned()),
        (Value::Object(_), Value::String(name)) => field(value, name, meter),
        _ => Err(EvaluateError::NotKnown),
    }
}

/// Returns an item or an entry. Fails if it does not exist.
pub(super) fn at(value: &Value, index: &Value, meter: &mut Meter) -> Outcome {
    match (value, index) {
        (Value::Optional(_), _) => optional_at(value, index, meter),
        (Value::Unknown, _) | (_, Value::Unknown) => Err(EvaluateError::NotKnown),
        (Value::List(_), _) => {
            let number = shown_key(index);
            let missing = || {
                fail(
                    format!("the list has no item {number}"),
                    format!("index out of bounds: {number}"),
                )
            };
            find(value, index, meter)?.map_or_else(missing, Ok)
        }
        (Value::Map(_) | Value::Object(_), _) => {
            let key = shown_key(index);
            let missing = || {
                fail(
                    format!("the map has no key `{key}`"),
                    format!("no such key: {key}"),
                )
            };
            find(value, index, meter)?.map_or_else(missing, Ok)
        }
        _ => fail_alike(format!("no such key: {}", shown_key(index))),
    }
}

/// Returns a key or an index as messages show it.
pub(super) fn shown_key(key: &Value) -> String {
    match key {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => crate::go_text::printed_float(*value),
        Value::String(text) => text.to_string(),
        _ => String::new(),
    }
}

fn optional_at(value: &Value, index: &Value, meter: &mut Meter) -> Outcome {
    match value {
        Value::Optional(None) => Ok(Value::Optional(None)),
        Value::Optional(Some(inner)) => optional_at(inner, index, meter),
        value => Ok(Value::Optional(find(value, index, meter)?.map(Arc::new))),
    }
}

/// Returns a field of an object or map, if it exists.
fn field(value: &Value, name: &str, meter: &mut Meter) -> Outcome<Option<Value>> {
    let found = match value {
        Value::Object(fields) => fields.get(name).or_else(|| {
            let word = crate::declared::escaped_word(name)?;
            fields.get(&word)
        }),
        Value::Map(entries) => entry(entries, &Value::text(name), meter)?,
        Value::Unknown => return Err(EvaluateError::NotKnown),
        Value::List(_) => return fail_alike("unsupported index type 'string' in list"),
        _ => None,
    };
    Ok(found.cloned())
}

fn optional_field(value: &Value, name: &str, meter: &mut Meter) -> Outcome {
    match value {
        Value::Optional(None) => Ok(Value::Optional(None)),
        Value::Optional(Some(inner)) => optional_field(inner, name, meter),
        value => Ok(Value::Optional(field(value, name, meter)?.map(Arc::new))),
    }
}

/// Returns the field of a value. Fails if it does not exist.
pub(super) fn select(value: &Value, name: &str, meter: &mut Meter) -> Outcome {
    if matches!(value, Value::Optional(_)) {
        return optional_field(value, name, meter);
    }
    match field(value, name, meter)? {
        Some(found) => Ok(found),
        None => fail(format!("there is no `{name}`"), format!("no such key: {name}")),
    }
}

/// Returns whether a field exists.
pub(super) fn has(value: &Value, name: &str, meter: &mut Meter) -> Outcome<bool> {
    let found = match value {
        Value::Optional(None) => return Ok(false),
        Value::Optional(Some(inner)) => return has(inner, name, meter),
        value => field(value, name, meter)?,
    };
    match found {
        Some(Value::Unknown) if matches!(value, Value::Object(_)) => Err(EvaluateError::NotKnown),
        found => Ok(found.is_some()),
    }
}
