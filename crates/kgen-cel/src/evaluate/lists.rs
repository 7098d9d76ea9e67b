//! Functions on lists, and on lists as sets.

use std::cmp::Ordering;
use std::sync::Arc;

use super::meter::Meter;
use super::operators::{contains, is_same, sum};
use super::sort::{is_comparable, sorted};
use super::{EvaluateError, Outcome, Value, fail, fail_alike};

/// The most levels that `flatten` descends.
const MOST_LEVELS: usize = 64;

/// Calls a function. Returns `None` if it is not a function on lists.
pub(super) fn call(function: &str, values: &[Value], meter: &mut Meter) -> Option<Outcome> {
    match (function, values) {
        ("lists.range", [Value::Int(count)]) => return Some(range(*count, meter)),
        ("includes", [value, wanted]) if !matches!(value, Value::List(_) | Value::Unknown) => {
            return Some(is_same(value, wanted, meter).map(Value::Bool));
        }
        _ => {}
    }
    let [own @ Value::List(list), arguments @ ..] = values else {
        return None;
    };
    let items = list.items();
    if matches!(function, "isSorted" | "sum" | "min" | "max") && items.iter().any(|item| !is_comparable(item))
    {
        // No overload takes such a list.
        return Some(if items.contains(&Value::Unknown) {
            Err(EvaluateError::NotKnown)
        } else {
            fail_alike(format!("no such overload: {function}(list)"))
        });
    }
    Some(match (function, arguments) {
        ("isSorted", []) => is_sorted(items).map(Value::Bool),
        ("sum", []) => total(items, meter),
        ("min", []) => extreme(items, Ordering::Less, function),
        ("max", []) => extreme(items, Ordering::Greater, function),
        ("indexOf", [wanted]) => position(items.iter().enumerate(), wanted, meter),
        ("lastIndexOf", [wanted]) => position(items.iter().enumerate().rev(), wanted, meter),
        ("includes", [wanted]) => position(items.iter().enumerate(), wanted, meter)
            .map(|found| Value::Bool(found != Value::Int(-1))),
        ("first", []) => Ok(Value::Optional(items.first().cloned().map(Arc::new))),
        ("last", []) => Ok(Value::Optional(items.last().cloned().map(Arc::new))),
        ("reverse", []) => Ok(Value::list(items.iter().rev().cloned().collect())),
        ("slice", [Value::Int(start), Value::Int(end)]) => slice(items, *start, *end),
        ("distinct", []) => distinct(items, meter),
        ("sort", []) => sorted(items, items),
        ("@sortByAssociatedKeys", [Value::List(keys)]) => sorted(items, keys.items()),
        ("flatten", []) => flattened(items, 1, meter),
        ("flatten", [Value::Int(depth)]) => flattened(items, *depth, meter),
        ("join", _)
            if !items
                .first()
                .is_none_or(|first| matches!(first, Value::String(_) | Value::Unknown)) =>
        {
            fail_alike("no such overload: join(list)")
        }
        ("join", []) => join(items, "", meter),
        ("join", [Value::String(separator)]) => join(items, separator, meter),
        ("sets.contains", [Value::List(others)]) => holds_all(own, others.items(), meter).map(Value::Bool),
        ("sets.equivalent", [other @ Value::List(others)]) => {
            let contained = holds_all(own, others.items(), meter);
            contained
                .and_then(|contained| Ok(contained && holds_all(other, items, meter)?))
                .map(Value::Bool)
        }
        ("sets.intersects", [Value::List(others)]) => {
            let mut found = Ok(false);
            for other in others.items() {
                match contains(own, other, meter) {
                    Ok(true) => return Some(Ok(Value::Bool(true))),
                    Ok(false) => {}
                    stop => found = stop,
                }
            }
            found.map(Value::Bool)
        }
        _ => return None,
    })
}

fn holds_all(set: &Value, wanted: &[Value], meter: &mut Meter) -> Outcome<bool> {
    for one in wanted {
        if !contains(set, one, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_sorted(items: &[Value]) -> Outcome<bool> {
    for pair in items.windows(2) {
        if let [first, second] = pair
            && compared(first, second)? == Some(Ordering::Greater)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares two items. Returns `None` if they have no order.
fn compared(left: &Value, right: &Value) -> Outcome<Option<Ordering>> {
    match left.order(right) {
        Err(EvaluateError::Failed(_)) => Ok(None),
        outcome => outcome,
    }
}

fn total(items: &[Value], meter: &mut Meter) -> Outcome {
    // The sum of an empty list depends on its type, which the caller knows.
    let Some((first, rest)) = items.split_first() else {
        return Err(EvaluateError::NotKnown);
    };
    let mut total = match first {
        Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Duration(_) => first.clone(),
        _ => return fail_alike("no such overload: sum(list)"),
    };
    for item in rest {
        total = sum(&total, item, meter)?;
    }
    Ok(total)
}

fn extreme(items: &[Value], wanted: Ordering, function: &str) -> Outcome {
    let Some((first, rest)) = items.split_first() else {
        return fail(
            "the list has no items",
            format!("{function} called on empty list"),
        );
    };
    let mut best = first;
    for item in rest {
        if compared(item, best)? == Some(wanted) {
            best = item;
        }
    }
    Ok(best.clone())
}

fn position<'v>(
    items: impl Iterator<Item = (usize, &'v Value)>,
    wanted: &Value,
    meter: &mut Meter,
) -> Outcome {
    for (index, item) in items {
        if is_same(item, wanted, meter)? {
            return Ok(Value::count(index));
        }
    }
    Ok(Value::Int(-1))
}

fn join(items: &[Value], separator: &str, meter: &mut Meter) -> Outcome {
    let mut texts = Vec::with_capacity(items.len());
    let mut length = separator.len().saturating_mul(items.len());
    for item in items {
        match item {
            Value::String(text) => {
                length = length.saturating_add(text.len());
                texts.push(text.as_ref());
            }
            Value::Unknown => return Err(EvaluateError::NotKnown),
            item => return fail_alike(format!("join: invalid input: {}", shown(item)?)),
        }
    }
    meter.allocate(length)?;
    Ok(Value::text(&texts.join(separator)))
}

/// Returns a simple value as Go prints it.
fn shown(value: &Value) -> Outcome<String> {
    match value {
        Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Bool(_) => {
            super::conversions::text_of(value).ok_or(EvaluateError::NotKnown)
        }
        _ => Err(EvaluateError::NotKnown),
    }
}

fn range(count: i64, meter: &mut Meter) -> Outcome {
    let Ok(length) = usize::try_from(count) else {
        return fail_alike(format!("lists.range: size must be non-negative, got {count}"));
    };
    meter.allocate_items(length)?;
    Ok(Value::list((0..count).map(Value::Int).collect()))
}

fn slice(items: &[Value], start: i64, end: i64) -> Outcome {
    let (Ok(first), Ok(behind)) = (usize::try_from(start), usize::try_from(end)) else {
        return fail_alike(format!(
            "cannot slice({start}, {end}), negative indexes not supported"
        ));
    };
    if first > behind {
        return fail_alike(format!(
            "cannot slice({start}, {end}), start index must be less than or equal to end index"
        ));
    }
    match items.get(first..behind) {
        Some(items) => Ok(Value::list(items.to_vec())),
        None => fail_alike(format!(
            "cannot slice({start}, {end}), list is length {}",
            items.len()
        )),
    }
}

fn distinct(items: &[Value], meter: &mut Meter) -> Outcome {
    let mut found: Vec<Value> = Vec::new();
    'items: for item in items {
        for known in &found {
            if is_same(item, known, meter)? {
                continue 'items;
            }
        }
        found.push(item.clone());
    }
    Ok(Value::list(found))
}

fn flattened(items: &[Value], depth: i64, meter: &mut Meter) -> Outcome {
    if depth < 0 {
        return fail_alike("level must be non-negative");
    }
    let mut flat = Vec::new();
    flatten(items, depth, MOST_LEVELS, &mut flat, meter)?;
    Ok(Value::list(flat))
}

fn flatten(
    items: &[Value],
    depth: i64,
    levels: usize,
    flat: &mut Vec<Value>,
    meter: &mut Meter,
) -> Outcome<()> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err(EvaluateError::NotKnown);
    };
    for item in items {
        meter.step()?;
        match item {
            Value::List(list) if depth > 0 => flatten(list.items(), depth - 1, levels, flat, meter)?,
            item => {
                meter.allocate_items(1)?;
                flat.push(item.clone());
            }
        }
    }
    Ok(())
}
