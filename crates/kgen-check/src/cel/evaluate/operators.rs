//! Operators, and the ways into values: fields, indices, optional ones of both.

use std::cmp::Ordering;
use std::rc::Rc;

use super::value::List;
use super::{Outcome, Stop, Value, fail};

/// What an operator gives; nothing if it is none.
pub(super) fn call(function: &str, values: &[Value]) -> Option<Outcome> {
    Some(match (function, values) {
        ("!_", [value]) => super::boolean(value.clone()).map(|value| Value::Bool(!value)),
        ("-_", [value]) => negated(value),
        ("_==_", [left, right]) => left.equals(right).map(Value::Bool),
        ("_!=_", [left, right]) => left.equals(right).map(|equal| Value::Bool(!equal)),
        ("_<_", [left, right]) => compared(left, right, Ordering::is_lt),
        ("_<=_", [left, right]) => compared(left, right, Ordering::is_le),
        ("_>_", [left, right]) => compared(left, right, Ordering::is_gt),
        ("_>=_", [left, right]) => compared(left, right, Ordering::is_ge),
        ("@in", [value, within]) => contains(within, value).map(Value::Bool),
        ("_+_", [left, right]) => sum(left, right),
        ("_-_" | "_*_" | "_/_" | "_%_", [left, right]) => arithmetic(function, left, right),
        ("_[_]", [value, index]) => at(value, index)?,
        ("_[?_]", [value, index]) => optional_at(value, index),
        ("_?._", [value, Value::Text(field)]) => optional_field(value, field),
        _ => return None,
    })
}

fn compared(left: &Value, right: &Value, holds: impl Fn(Ordering) -> bool) -> Outcome {
    // Nothing is less or more than what is no number.
    Ok(Value::Bool(left.order(right)?.is_some_and(holds)))
}

fn negated(value: &Value) -> Outcome {
    match value {
        Value::Int(value) => value
            .checked_neg()
            .map_or_else(overflow, |value| Ok(Value::Int(value))),
        Value::Double(value) => Ok(Value::Double(-value)),
        _ => Err(Stop::Unknown),
    }
}

pub(super) fn overflow<T>() -> Outcome<T> {
    fail("the number is too large")
}

pub(super) fn sum(left: &Value, right: &Value) -> Outcome {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => Ok(Value::text(&format!("{left}{right}"))),
        (Value::Bytes(left), Value::Bytes(right)) => Ok(Value::Bytes([left.as_ref(), right].concat().into())),
        (Value::List(left), Value::List(right)) if !left.is_unordered && !right.is_unordered => {
            let items = left.items.iter().chain(&right.items).cloned();
            Ok(Value::List(Rc::new(List::plain(items.collect()))))
        }
        _ => arithmetic("_+_", left, right),
    }
}

fn arithmetic(operator: &str, left: &Value, right: &Value) -> Outcome {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            let result = whole(operator, i128::from(*left), i128::from(*right))?;
            i64::try_from(result).map_or_else(|_| overflow(), |result| Ok(Value::Int(result)))
        }
        (Value::Uint(left), Value::Uint(right)) => {
            let result = whole(operator, i128::from(*left), i128::from(*right))?;
            u64::try_from(result).map_or_else(|_| overflow(), |result| Ok(Value::Uint(result)))
        }
        (Value::Double(left), Value::Double(right)) => match operator {
            "_+_" => Ok(Value::Double(left + right)),
            "_-_" => Ok(Value::Double(left - right)),
            "_*_" => Ok(Value::Double(left * right)),
            "_/_" => Ok(Value::Double(left / right)),
            _ => Err(Stop::Unknown),
        },
        _ => Err(Stop::Unknown),
    }
}

/// What an operator makes of two numbers of 64 bits; the caller sees whether it fits into as many.
fn whole(operator: &str, left: i128, right: i128) -> Outcome<i128> {
    let result = match operator {
        "_+_" => left.checked_add(right),
        "_-_" => left.checked_sub(right),
        "_*_" => left.checked_mul(right),
        "_/_" | "_%_" if right == 0 => return fail("division by zero"),
        "_/_" => left.checked_div(right),
        _ => left.checked_rem(right),
    };
    result.map_or_else(overflow, Ok)
}

/// Whether a value is an item of a list or a key of a map.
pub(super) fn contains(within: &Value, value: &Value) -> Outcome<bool> {
    match within {
        Value::List(list) => {
            let mut unknown = false;
            for item in &list.items {
                match item.equals(value) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(Stop::Unknown) => unknown = true,
                    Err(stop) => return Err(stop),
                }
            }
            if unknown { Err(Stop::Unknown) } else { Ok(false) }
        }
        Value::Map(entries) => Ok(entry(entries, value)?.is_some()),
        _ => Err(Stop::Unknown),
    }
}

/// The value of a key.
pub(super) fn entry<'m>(entries: &'m [(Value, Value)], key: &Value) -> Outcome<Option<&'m Value>> {
    for (known, value) in entries {
        if known.equals(key)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// An item or an entry, if it is there.
fn find(value: &Value, index: &Value) -> Outcome<Option<Value>> {
    match (value, index) {
        (Value::List(list), Value::Int(index)) => {
            let item = usize::try_from(*index)
                .ok()
                .and_then(|index| list.items.get(index));
            Ok(item.cloned())
        }
        (Value::Map(entries), key) => Ok(entry(entries, key)?.cloned()),
        _ => Err(Stop::Unknown),
    }
}

fn at(value: &Value, index: &Value) -> Option<Outcome> {
    Some(match (value, index) {
        (Value::Optional(_), _) => return Some(optional_at(value, index)),
        (Value::List(_), Value::Int(number)) => match find(value, index) {
            Ok(Some(item)) => Ok(item),
            Ok(None) => fail(format!("the list has no item {number}")),
            Err(stop) => Err(stop),
        },
        (Value::Map(_), Value::Text(key)) => match find(value, index) {
            Ok(Some(item)) => Ok(item),
            Ok(None) => fail(format!("the map has no key `{key}`")),
            Err(stop) => Err(stop),
        },
        _ => Err(Stop::Unknown),
    })
}

fn optional_at(value: &Value, index: &Value) -> Outcome {
    match value {
        Value::Optional(None) => Ok(Value::Optional(None)),
        Value::Optional(Some(inner)) => optional_at(inner, index),
        value => Ok(Value::Optional(find(value, index)?.map(Rc::new))),
    }
}

/// A field of an object or map, if it is there.
fn field(value: &Value, name: &str) -> Outcome<Option<Value>> {
    let found = match value {
        Value::Object(fields) => fields.get(name).or_else(|| {
            let word = super::super::declared::escaped_word(name)?;
            fields.get(&word)
        }),
        Value::Map(entries) => entry(entries, &Value::text(name))?,
        _ => return Err(Stop::Unknown),
    };
    Ok(found.cloned())
}

fn optional_field(value: &Value, name: &str) -> Outcome {
    match value {
        Value::Optional(None) => Ok(Value::Optional(None)),
        Value::Optional(Some(inner)) => optional_field(inner, name),
        value => Ok(Value::Optional(field(value, name)?.map(Rc::new))),
    }
}

/// The field of a value. One that is not there is a failure.
pub(super) fn select(value: &Value, name: &str) -> Outcome {
    if matches!(value, Value::Optional(_)) {
        return optional_field(value, name);
    }
    match field(value, name)? {
        Some(found) => Ok(found),
        None => fail(format!("there is no `{name}`")),
    }
}

/// Whether a field is there.
pub(super) fn has(value: &Value, name: &str) -> Outcome<bool> {
    let found = match value {
        Value::Optional(None) => return Ok(false),
        Value::Optional(Some(inner)) => return has(inner, name),
        value => field(value, name)?,
    };
    match found {
        Some(Value::Unknown) if matches!(value, Value::Object(_)) => Err(Stop::Unknown),
        found => Ok(found.is_some()),
    }
}
