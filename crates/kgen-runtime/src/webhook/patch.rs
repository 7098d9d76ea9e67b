//! Computes the JSON patch from the object that was sent to the object that the defaulter returned.
//!
//! There are three values. `sent` is the object of the API server; `before` and `after` are the typed object as JSON
//! before and after the defaulter. The patch contains only the differences between the last two, so fields that the
//! Rust type does not have are kept. `sent` determines which fields have to be added, because the typed object may
//! serialize fields that were not sent.

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

/// Returns the steps; the list is empty if the defaulter did not change anything.
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
        // A list that the type serializes in another form cannot be compared item by item.
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

/// Compares lists. Equal items at the start and at the end are skipped; the others are compared one by one. This finds
/// the shortest patch for typical changes: changed items, and items that are inserted or removed in one place.
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
    // While items are compared, the list still has its old length.
    for (old, new) in pairs {
        within(path, &old.to_string(), |path| {
            let (sent, before, after) = (&sent[old], &before[old], &after[new]);
            if identity(before) == identity(after) {
                compare(sent, before, after, path, steps);
            } else {
                // Another item: all parts of the old one must be removed.
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

/// Returns whether two items are the same, possibly changed: they are equal, or have the same name.
fn same_item(before: &Value, after: &Value) -> bool {
    match (identity(before), identity(after)) {
        (Some(before), Some(after)) => before == after,
        _ => before == after,
    }
}

/// Returns the key of most lists in Kubernetes.
fn identity(item: &Value) -> Option<&str> {
    ["name", "key", "type", "id"]
        .iter()
        .find_map(|key| item.get(key)?.as_str())
}

/// Calls `step` with a path that has one more segment.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn steps(sent: &Value, before: &Value, after: &Value) -> Value {
        serde_json::to_value(patch(sent, before, after)).unwrap()
    }

    /// Returns the result of the patch.
    fn applied(sent: &Value, steps: &[Step]) -> Value {
        let mut object = sent.clone();
        let steps: json_patch::Patch = serde_json::from_value(serde_json::to_value(steps).unwrap()).unwrap();
        json_patch::patch(&mut object, &steps).unwrap();
        object
    }

    #[test]
    fn nothing_changed_is_no_step() {
        let object = json!({ "a": [1, { "b": 2 }] });
        assert_eq!(steps(&object, &object, &object), json!([]));
        // The type serializes the value in another form than it was sent, which is not a change.
        let sent = json!({ "cpu": "1000m" });
        let read = json!({ "cpu": "1", "extra": 0 });
        assert_eq!(steps(&sent, &read, &read), json!([]));
    }

    #[test]
    fn what_was_not_sent_is_added_and_not_replaced() {
        let sent = json!({ "spec": {} });
        let before = json!({ "spec": { "size": 0, "template": {} } });
        let after = json!({ "spec": { "size": 3, "template": { "image": "a" } } });
        let expected = json!([
            { "op": "add", "path": "/spec/size", "value": 3 },
            { "op": "add", "path": "/spec/template", "value": { "image": "a" } },
        ]);
        assert_eq!(steps(&sent, &before, &after), expected);
    }

    #[test]
    fn a_null_that_was_sent_is_replaced() {
        let sent = json!({ "labels": null });
        let after = json!({ "labels": { "a/b": "~" } });
        assert_eq!(
            steps(&sent, &json!({}), &after),
            json!([{ "op": "replace", "path": "/labels", "value": { "a/b": "~" } }])
        );
        assert_eq!(
            steps(&json!({ "labels": {} }), &json!({ "labels": {} }), &after),
            json!([{ "op": "add", "path": "/labels/a~1b", "value": "~" }])
        );
    }

    #[test]
    fn items_that_are_put_in_or_taken_out_are_one_step() {
        let list = json!(["a", "b", "c"]);
        let insert = json!(["a", "x", "b", "c"]);
        assert_eq!(
            steps(&list, &list, &insert),
            json!([{ "op": "add", "path": "/1", "value": "x" }])
        );
        assert_eq!(
            steps(&insert, &insert, &list),
            json!([{ "op": "remove", "path": "/1" }])
        );
        assert_eq!(steps(&list, &list, &json!([])).as_array().unwrap().len(), 3);
    }

    #[test]
    fn unknown_fields_stay_with_their_item() {
        let sent = json!([{ "name": "a", "unknown": 1 }, { "name": "b", "unknown": 2 }]);
        let before = json!([{ "name": "a" }, { "name": "b" }]);
        let removed = patch(&sent, &before, &json!([{ "name": "b", "port": 1 }]));
        assert_eq!(
            applied(&sent, &removed),
            json!([{ "name": "b", "unknown": 2, "port": 1 }])
        );
        let other = patch(&sent, &before, &json!([{ "name": "c" }, { "name": "b" }]));
        assert_eq!(
            applied(&sent, &other),
            json!([{ "name": "c" }, { "name": "b", "unknown": 2 }])
        );
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (0..3_i32).prop_map(Value::from),
            "[ab/~]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map("name|[ab/~]{1,2}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// Returns the object with an additional field in each of its maps, as from a newer version of the type.
    fn with_unknown(value: &Value) -> Value {
        match value {
            Value::Object(map) => {
                let mut map: Map<String, Value> = map
                    .iter()
                    .map(|(key, value)| (key.clone(), with_unknown(value)))
                    .collect();
                map.insert("unknown".to_owned(), json!(true));
                Value::Object(map)
            }
            Value::Array(items) => items.iter().map(with_unknown).collect(),
            other => other.clone(),
        }
    }

    /// Returns the object after the Rust type has deserialized and serialized it.
    fn without_unknown(value: &Value) -> Value {
        match value {
            Value::Object(map) => Value::Object(
                map.iter()
                    .filter(|(key, _)| *key != "unknown")
                    .map(|(key, value)| (key.clone(), without_unknown(value)))
                    .collect(),
            ),
            Value::Array(items) => items.iter().map(without_unknown).collect(),
            other => other.clone(),
        }
    }

    proptest! {
        #[test]
        fn the_patch_makes_of_the_old_object_the_new_one(before in value(), after in value()) {
            let steps = patch(&before, &before, &after);
            prop_assert_eq!(applied(&before, &steps), after);
        }

        #[test]
        fn unknown_fields_do_not_disturb(before in value(), after in value()) {
            let sent = with_unknown(&before);
            let result = applied(&sent, &patch(&sent, &before, &after));
            prop_assert_eq!(without_unknown(&result), after.clone());
            if let (Value::Object(_), Value::Object(_)) = (&sent, &after) {
                prop_assert_eq!(&result["unknown"], true);
            }
        }
    }
}
