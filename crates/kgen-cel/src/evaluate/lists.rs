//! Functions on lists, and on lists as sets.

use std::cmp::Ordering;

use super::meter::Meter;
use super::operators::{contains, sum};
use super::{EvaluateError, Outcome, Value, fail};

/// Calls a function. Returns `None` if it is not a function on lists.
pub(super) fn call(function: &str, values: &[Value], meter: &mut Meter) -> Option<Outcome> {
    let [own @ Value::List(list), arguments @ ..] = values else {
        return None;
    };
    let items = list.items();
    Some(match (function, arguments) {
        ("isSorted", []) => is_sorted(items).map(Value::Bool),
        ("sum", []) => total(items, meter),
        ("min", []) => extreme(items, Ordering::Less, function),
        ("max", []) => extreme(items, Ordering::Greater, function),
        ("indexOf", [wanted]) => position(items.iter().enumerate(), wanted, meter),
        ("lastIndexOf", [wanted]) => position(items.iter().enumerate().rev(), wanted, meter),
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
            && first.order(second)? == Some(Ordering::Greater)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn total(items: &[Value], meter: &mut Meter) -> Outcome {
    let Some((first, rest)) = items.split_first() else {
        // The type of the list determines which zero it is.
        return Err(EvaluateError::NotKnown);
    };
    let mut total = first.clone();
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
        if item.order(best)? == Some(wanted) {
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
        if item.equals(wanted, meter)? {
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
            _ => return Err(EvaluateError::NotKnown),
        }
    }
    meter.allocate(length)?;
    Ok(Value::text(&texts.join(separator)))
}
