//! Functions on lists, and on lists as sets.

use std::cmp::Ordering;

use super::operators::{contains, sum};
use super::{Outcome, Stop, Value, fail};

/// What a function gives; nothing if it is none of these.
pub(super) fn call(function: &str, values: &[Value]) -> Option<Outcome> {
    let [own @ Value::List(list), arguments @ ..] = values else {
        return None;
    };
    let items = list.items.as_slice();
    Some(match (function, arguments) {
        ("isSorted", []) => is_sorted(items).map(Value::Bool),
        ("sum", []) => total(items),
        ("min", []) => extreme(items, Ordering::Less),
        ("max", []) => extreme(items, Ordering::Greater),
        ("indexOf", [wanted]) => position(items.iter().enumerate(), wanted),
        ("lastIndexOf", [wanted]) => position(items.iter().enumerate().rev(), wanted),
        ("join", []) => join(items, ""),
        ("join", [Value::Text(separator)]) => join(items, separator),
        ("sets.contains", [Value::List(others)]) => holds_all(own, &others.items).map(Value::Bool),
        ("sets.equivalent", [other @ Value::List(others)]) => {
            both(holds_all(own, &others.items), || holds_all(other, items)).map(Value::Bool)
        }
        ("sets.intersects", [Value::List(others)]) => {
            let mut found = Ok(false);
            for other in &others.items {
                match contains(own, other) {
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

fn both(first: Outcome<bool>, second: impl FnOnce() -> Outcome<bool>) -> Outcome<bool> {
    Ok(first? && second()?)
}

fn holds_all(set: &Value, wanted: &[Value]) -> Outcome<bool> {
    for one in wanted {
        if !contains(set, one)? {
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

fn total(items: &[Value]) -> Outcome {
    let Some((first, rest)) = items.split_first() else {
        // Which zero it is follows from the type of the list.
        return Err(Stop::Unknown);
    };
    let mut total = first.clone();
    for item in rest {
        total = sum(&total, item)?;
    }
    Ok(total)
}

fn extreme(items: &[Value], wanted: Ordering) -> Outcome {
    let Some((first, rest)) = items.split_first() else {
        return fail("the list has no items");
    };
    let mut best = first;
    for item in rest {
        if item.order(best)? == Some(wanted) {
            best = item;
        }
    }
    Ok(best.clone())
}

fn position<'v>(items: impl Iterator<Item = (usize, &'v Value)>, wanted: &Value) -> Outcome {
    for (index, item) in items {
        if item.equals(wanted)? {
            return Ok(Value::count(index));
        }
    }
    Ok(Value::Int(-1))
}

fn join(items: &[Value], separator: &str) -> Outcome {
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Value::Text(text) => texts.push(text.as_ref()),
            _ => return Err(Stop::Unknown),
        }
    }
    Ok(Value::text(&texts.join(separator)))
}
