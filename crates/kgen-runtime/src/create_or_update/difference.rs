//! The difference between two versions of an object, as a merge patch. Values that are only in the older version were
//! filled in by the server, except in some parts of the metadata.

use serde_json::{Map, Value};

/// Parts of the metadata that belong to clients, so that a missing value was removed.
const OF_CLIENTS: [&str; 4] = ["labels", "annotations", "finalizers", "ownerReferences"];

/// Returns a merge patch from `before` to `after`, or `None` if they do not differ.
pub(super) fn merge_patch(before: &Value, after: &Value) -> Option<Value> {
    let mut patch = changes(before, after);
    if let (Some(before), Some(after)) = (before.get("metadata"), after.get("metadata")) {
        let removed: Map<String, Value> = OF_CLIENTS
            .iter()
            .filter_map(|part| Some(((*part).to_owned(), removal(before.get(part)?, after.get(part))?)))
            .collect();
        if !removed.is_empty() {
            let patch = patch.get_or_insert_with(|| Value::Object(Map::new()));
            add_to(patch, "metadata", removed);
        }
    }
    patch
}

/// Returns `object` without its status.
pub(super) fn without_status(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(fields) = object.as_object_mut() {
        fields.remove("status");
    }
    object
}

/// Returns the values of `after` that `before` does not have, or `None` if it has all of them.
fn changes(before: &Value, after: &Value) -> Option<Value> {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let changed: Map<String, Value> = after
                .iter()
                .filter_map(|(name, after)| {
                    let change = match before.get(name) {
                        Some(before) => changes(before, after),
                        None => (!is_empty(after)).then(|| after.clone()),
                    };
                    Some((name.clone(), change?))
                })
                .collect();
            (!changed.is_empty()).then_some(Value::Object(changed))
        }
        // A merge patch can only replace a whole list.
        (Value::Array(before), Value::Array(list)) => {
            let is_same = before.len() == list.len()
                && before
                    .iter()
                    .zip(list)
                    .all(|(before, after)| changes(before, after).is_none());
            (!is_same).then(|| after.clone())
        }
        (before, after) => (before != after && !after.is_null()).then(|| after.clone()),
    }
}

/// Returns whether a value is as good as absent: null, an empty list, or an object without values. Servers do not keep empty
/// lists of built-in kinds, so they would be a difference in every call.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
        _ => false,
    }
}

/// Returns the patch that removes the values of `before` that are not in `after`.
fn removal(before: &Value, after: Option<&Value>) -> Option<Value> {
    match (before, after) {
        (_, None | Some(Value::Null)) => (!before.is_null()).then_some(Value::Null),
        (Value::Object(before), Some(Value::Object(after))) => {
            let removed: Map<String, Value> = before
                .keys()
                .filter(|name| !after.contains_key(*name))
                .map(|name| (name.clone(), Value::Null))
                .collect();
            (!removed.is_empty()).then_some(Value::Object(removed))
        }
        // Lists are replaced as a whole.
        _ => None,
    }
}

/// Adds the values of `more` to the part `name` of a patch.
fn add_to(patch: &mut Value, name: &str, more: Map<String, Value>) {
    let Some(parts) = patch.as_object_mut() else {
        return;
    };
    let part = parts.entry(name).or_insert_with(|| Value::Object(Map::new()));
    for (name, value) in more {
        match (part.get_mut(&name), value) {
            (Some(Value::Object(present)), Value::Object(more)) => present.extend(more),
            (_, value) => {
                if let Some(part) = part.as_object_mut() {
                    part.insert(name, value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_of_the_server_are_not_a_difference() {
        let before = json!({
            "metadata": { "name": "web", "uid": "u", "labels": { "a": "1" } },
            "spec": { "replicas": 1, "paused": false, "list": [{ "name": "a", "port": 1, "protocol": "TCP" }] },
        });
        let after = json!({
            "metadata": { "name": "web", "labels": { "a": "1" } },
            "spec": { "replicas": 1, "strategy": {}, "list": [{ "name": "a", "port": 1, "args": [] }], "volumes": [] },
        });
        assert_eq!(merge_patch(&before, &after), None);
    }

    #[test]
    fn a_list_can_be_emptied() {
        let before = json!({ "spec": { "list": [1, 2] } });
        let after = json!({ "spec": { "list": [] } });
        assert_eq!(merge_patch(&before, &after), Some(after));
    }

    #[test]
    fn a_difference_is_as_small_as_possible() {
        let before = json!({ "spec": { "a": 1, "b": { "c": 2, "d": 3 }, "list": [1, 2] } });
        let after = json!({ "spec": { "a": 1, "b": { "c": 4 }, "list": [1], "new": "x" } });
        let expected = json!({ "spec": { "b": { "c": 4 }, "list": [1], "new": "x" } });
        assert_eq!(merge_patch(&before, &after), Some(expected));
    }

    #[test]
    fn labels_and_owners_can_be_removed() {
        let before = json!({ "metadata": {
            "labels": { "a": "1", "b": "2" }, "annotations": { "c": "3" }, "finalizers": ["d", "e"],
            "ownerReferences": [{ "uid": "u" }], "uid": "u",
        } });
        let after = json!({ "metadata": { "labels": { "b": "3" }, "finalizers": ["e"] } });
        let expected = json!({ "metadata": {
            "labels": { "a": null, "b": "3" }, "annotations": null, "finalizers": ["e"], "ownerReferences": null,
        } });
        assert_eq!(merge_patch(&before, &after), Some(expected));
    }
}
