//! The JSON patch that makes of an object, as it was sent, what the defaulter made of it.
//!
//! Three values meet here. `sent` is what the API server has; `before` and `after` are the typed object written as JSON before
//! and after the defaulter. Only what differs between the last two is patched, so fields that the Rust type does not know
//! stay; and `sent` decides what has to be added, since the typed object may write fields that were not sent.

use serde::Serialize;
use serde_json::{Map, Value};

/// One step of a patch (RFC 6902).
#[derive(Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(super) enum Step {
    Add { path: String, value: Value },
    Replace { path: String, value: Value },
    Remove { path: String },
}

/// The steps, none if the defaulter changed nothing.
pub(super) fn patch(sent: &Value, before: &Value, after: &Value) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut path = String::new();
    compare(sent, before, after, &mut path, &mut steps);
    steps
}

fn compare(sent: &Value, before: &Value, after: &Value, path: &mut String, steps: &mut Vec<Step>) {
    if before == after {
        return;
    }
    match (sent, before, after) {
        (Value::Object(sent), Value::Object(before), Value::Object(after)) => {
            compare_maps(sent, before, after, path, steps);
        }
        // A list that the type reads otherwise than it was sent has no items to tell apart.
        (Value::Array(sent), Value::Array(before), Value::Array(after)) if sent.len() == before.len() => {
            compare_lists(sent, before, after, path, steps);
        }
        _ if sent == after => {}
        _ => steps.push(Step::Replace {
            path: path.clone(),
            value: after.clone(),
        }),
    }
}

fn compare_maps(
    sent: &Map<String, Value>,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    path: &mut String,
    steps: &mut Vec<Step>,
) {
    for (key, after) in after {
        within(path, key, |path| match (sent.get(key), before.get(key)) {
            (Some(sent), Some(before)) => compare(sent, before, after, path, steps),
            (Some(sent), None) if sent == after => {}
            (Some(_), None) => steps.push(Step::Replace {
                path: path.clone(),
                value: after.clone(),
            }),
            (None, before) if before != Some(after) => steps.push(Step::Add {
                path: path.clone(),
                value: after.clone(),
            }),
            (None, _) => {}
        });
    }
    for key in before.keys() {
        if !after.contains_key(key) && sent.contains_key(key) {
            within(path, key, |path| {
                steps.push(Step::Remove { path: path.clone() });
            });
        }
    }
}

/// Items are told apart by what is the same at the beginning and at the end; what is left is compared one by one. This finds
/// the shortest patch for all that defaulters do: items that change, and items that are put in or taken out in one place.
fn compare_lists(
    sent: &[Value],
    before: &[Value],
    after: &[Value],
    path: &mut String,
    steps: &mut Vec<Step>,
) {
    let first = before
        .iter()
        .zip(after)
        .take_while(|(before, after)| same_item(before, after))
        .count();
    let last = before[first..]
        .iter()
        .rev()
        .zip(after[first..].iter().rev())
        .take_while(|(before, after)| same_item(before, after))
        .count();
    let (before_end, after_end) = (before.len() - last, after.len() - last);
    let both = (before_end - first).min(after_end - first);

    let pairs = (0..first + both)
        .map(|index| (index, index))
        .chain((0..last).map(|index| (before_end + index, after_end + index)));
    // While items are compared the list still has its old length.
    for (old, new) in pairs {
        within(path, &old.to_string(), |path| {
            let (sent, before, after) = (&sent[old], &before[old], &after[new]);
            if identity(before) == identity(after) {
                compare(sent, before, after, path, steps);
            } else {
                // Another item: nothing of the old one may stay in it.
                steps.push(Step::Replace {
                    path: path.clone(),
                    value: after.clone(),
                });
            }
        });
    }
    for index in (first + both..before_end).rev() {
        within(path, &index.to_string(), |path| {
            steps.push(Step::Remove { path: path.clone() });
        });
    }
    for (index, value) in after.iter().enumerate().take(after_end).skip(first + both) {
        within(path, &index.to_string(), |path| {
            steps.push(Step::Add {
                path: path.clone(),
                value: value.clone(),
            });
        });
    }
}

/// Whether two items are one, perhaps changed: equal, or of the same name.
fn same_item(before: &Value, after: &Value) -> bool {
    match (identity(before), identity(after)) {
        (Some(before), Some(after)) => before == after,
        _ => before == after,
    }
}

/// What most lists of Kubernetes know their items by.
fn identity(item: &Value) -> Option<&str> {
    ["name", "key", "type", "id"]
        .iter()
        .find_map(|key| item.get(key)?.as_str())
}

/// Calls `step` with a path that goes one further.
fn within(path: &mut String, key: &str, step: impl FnOnce(&mut String)) {
    let length = path.len();
    path.push('/');
    for character in key.chars() {
        match character {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            other => path.push(other),
        }
    }
    step(path);
    path.truncate(length);
}
