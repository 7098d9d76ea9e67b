//! Strategic merge patches of built-in kinds.
//!
//! Mirrors `strategicpatch.StrategicMergeMapPatch`. The schema has the strategy and the merge key of each list
//! (`x-kubernetes-patch-strategy`, `x-kubernetes-patch-merge-key`). `order` arranges the items of lists.

use serde_json::{Map, Value};

use super::go_value;
use super::order::{self, List};

const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList";
const SET_ORDER: &str = "$setElementOrder";
const RETAIN_KEYS: &str = "$retainKeys";
const DIRECTIVE: &str = "$patch";

/// Why a patch cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StrategicPatchError {
    /// The patch has a form that the server refuses with the code 400.
    Malformed(&'static str),
    /// The patch has a list of lists, which the server refuses with the code 422.
    ListOfLists,
    /// Any other mistake, which the server answers with the code 500.
    Failed(String),
}

type Outcome<T> = Result<T, StrategicPatchError>;

pub(super) fn failed<T>(message: String) -> Outcome<T> {
    Err(StrategicPatchError::Failed(message))
}

/// Applies a patch to an object.
pub(crate) fn apply(target: &mut Value, patch: &Map<String, Value>, schema: &Value) -> Outcome<()> {
    let original = match target {
        Value::Object(original) => std::mem::take(original),
        _ => Map::new(),
    };
    *target = Value::Object(merge_map(original, patch.clone(), schema)?);
    Ok(())
}

fn merge_map(
    mut original: Map<String, Value>,
    mut patch: Map<String, Value>,
    schema: &Value,
) -> Outcome<Map<String, Value>> {
    if let Some(directive) = patch.get(DIRECTIVE).cloned() {
        return match directive.as_str() {
            Some("replace") => {
                patch.remove(DIRECTIVE);
                Ok(patch)
            }
            Some("delete") => Ok(Map::new()),
            _ => unknown_directive(&directive, patch),
        };
    }
    retain_keys(&mut original, &mut patch)?;
    order_lists(&mut original, &mut patch, schema)?;
    for (key, change) in patch {
        let (key, is_deletion) = if key.starts_with(DELETE_FROM_LIST) {
            let message = "invalid patch format of primitive list";
            (without_prefix(&key, DELETE_FROM_LIST, message)?, true)
        } else {
            (key, false)
        };
        if change.is_null() {
            original.remove(&key);
            continue;
        }
        let inner = property(schema, &key);
        let merged = match (original.remove(&key), change) {
            (Some(Value::Object(before)), Value::Object(change)) => {
                if strategy(inner) == "replace" {
                    Some(Value::Object(change))
                } else {
                    Some(Value::Object(merge_map(before, change, inner)?))
                }
            }
            (Some(Value::Array(before)), Value::Array(change)) => {
                Some(Value::Array(merge_lists(before, change, inner, is_deletion)?))
            }
            (before, _) if is_deletion => before,
            (_, mut change) => {
                remove_nulls(&mut change);
                without_directives(change)
            }
        };
        if let Some(merged) = merged {
            original.insert(key, merged);
        }
    }
    Ok(original)
}

fn unknown_directive<T>(directive: &Value, patch: Map<String, Value>) -> Outcome<T> {
    failed(format!(
        "unknown patch type: {} in map: {}",
        go_value(directive),
        go_value(&Value::Object(patch))
    ))
}

fn without_prefix(key: &str, prefix: &str, message: &'static str) -> Outcome<String> {
    match key.split_once('/') {
        Some((found, rest)) if found == prefix => Ok(rest.to_owned()),
        _ => Err(StrategicPatchError::Malformed(message)),
    }
}

/// Removes the fields that the patch does not retain, if it says which ones to retain.
fn retain_keys(original: &mut Map<String, Value>, patch: &mut Map<String, Value>) -> Outcome<()> {
    let Some(kept) = patch.remove(RETAIN_KEYS) else {
        return Ok(());
    };
    let malformed = StrategicPatchError::Malformed("invalid patch format of retainKeys");
    let Value::Array(kept) = kept else {
        return Err(malformed);
    };
    let is_kept = |key: &str| kept.iter().any(|kept| kept == key);
    let is_directive = |key: &str| key.starts_with(DELETE_FROM_LIST) || key.starts_with(SET_ORDER);
    if patch
        .iter()
        .any(|(key, value)| !value.is_null() && !is_directive(key) && !is_kept(key))
    {
        return Err(malformed);
    }
    original.retain(|key, _| is_kept(key));
    Ok(())
}

/// Merges the lists whose order the patch sets.
fn order_lists(
    original: &mut Map<String, Value>,
    patch: &mut Map<String, Value>,
    schema: &Value,
) -> Outcome<()> {
    let keys: Vec<String> = patch
        .keys()
        .filter(|key| key.starts_with(SET_ORDER))
        .cloned()
        .collect();
    for directive in keys {
        let wanted = patch.remove(&directive).unwrap_or_default();
        let wanted = list(&wanted)?.to_vec();
        let message = "invalid patch format of setElementOrder list";
        let key = without_prefix(&directive, SET_ORDER, message)?;
        let inner = property(schema, &key);
        let before = original
            .get(&key)
            .map(|found| list(found).map(<[Value]>::to_vec))
            .transpose()?;
        let change = patch.remove(&key);
        let change = change
            .map(|found| list(&found).map(<[Value]>::to_vec))
            .transpose()?;
        let shape = List::of(merge_key(inner));
        order::check(&shape, change.as_deref().unwrap_or_default(), &wanted)?;
        let merged = match (&before, &change) {
            (None, None) => continue,
            (Some(before), None) => before.clone(),
            (None, Some(change)) => match without_directives(Value::Array(change.clone())) {
                Some(Value::Array(items)) => items,
                _ => continue,
            },
            (Some(before), Some(change)) => merge_lists(before.clone(), change.clone(), inner, false)?,
        };
        let (from_patch, from_server) = shape.split(merged, &wanted)?;
        let before = before.unwrap_or_default();
        element_kind(&before, &change.unwrap_or_default())?;
        let ordered = shape.arrange(from_patch, from_server, &wanted, &before)?;
        original.insert(key, Value::Array(ordered));
    }
    Ok(())
}

fn list(value: &Value) -> Outcome<&[Value]> {
    match value {
        Value::Array(items) => Ok(items),
        other => failed(format!(
            "expected a []interface {{}}, but received a {}",
            super::go_type(other)
        )),
    }
}

fn merge_lists(
    before: Vec<Value>,
    change: Vec<Value>,
    schema: &Value,
    is_deletion: bool,
) -> Outcome<Vec<Value>> {
    if !is_deletion && strategy(schema) != "merge" {
        return Ok(change);
    }
    if before.is_empty() && change.is_empty() {
        return Ok(before);
    }
    let shape = List::of(merge_key(schema));
    if element_kind(&before, &change)? != "map[string]interface {}" {
        if is_deletion {
            return Ok(before.into_iter().filter(|item| !change.contains(item)).collect());
        }
        let mut merged: Vec<Value> = Vec::new();
        for item in before.iter().chain(&change) {
            if !merged.contains(item) {
                merged.push(item.clone());
            }
        }
        let (from_patch, from_server) = shape.split(merged, &change)?;
        return shape.arrange(from_patch, from_server, &change, &before);
    }
    let Some(key) = shape.key() else {
        return failed("cannot merge lists without merge key for ".to_owned());
    };
    let (before, change) = special_items(before, change, key)?;
    let mut merged = before.clone();
    for item in &change {
        let Some(value) = item.get(key) else {
            return order::no_merge_key(item, key);
        };
        let position = merged.iter().position(|known| known.get(key) == Some(value));
        match (position.and_then(|position| merged.get_mut(position)), item) {
            (Some(found), Value::Object(item)) => {
                let Value::Object(known) = found.take() else {
                    continue;
                };
                let items = schema.get("items").unwrap_or(&Value::Null);
                *found = Value::Object(merge_map(known, item.clone(), items)?);
            }
            _ => merged.push(item.clone()),
        }
    }
    let (from_patch, from_server) = shape.split(merged, &change)?;
    shape.arrange(from_patch, from_server, &change, &before)
}

/// Handles the items with a directive: deletes or replaces what was there. Returns what was there, and the other items.
fn special_items(before: Vec<Value>, change: Vec<Value>, key: &str) -> Outcome<(Vec<Value>, Vec<Value>)> {
    let (mut before, mut rest, mut replaces) = (before, Vec::new(), false);
    for item in change {
        match item
            .get(DIRECTIVE)
            .map(|directive| (directive, directive.as_str()))
        {
            None => rest.push(item),
            Some((_, Some("delete"))) => match item.get(key) {
                Some(value) => before.retain(|known| known.get(key) != Some(value)),
                None => return order::no_merge_key(&item, key),
            },
            Some((_, Some("replace"))) => replaces = true,
            Some((_, Some("merge"))) => {
                return failed("merging lists cannot yet be specified in the patch".to_owned());
            }
            Some((directive, _)) => {
                return unknown_directive(directive, item.as_object().cloned().unwrap_or_default());
            }
        }
    }
    Ok(if replaces {
        (rest, Vec::new())
    } else {
        (before, rest)
    })
}

/// Returns the Go type of the items of two lists, which must be the same.
fn element_kind(before: &[Value], change: &[Value]) -> Outcome<&'static str> {
    let mut kinds = before.iter().chain(change).map(super::go_type);
    let Some(first) = kinds.next() else {
        return failed("no elements in any of the given slices".to_owned());
    };
    if first == "[]interface {}" {
        return Err(StrategicPatchError::ListOfLists);
    }
    if kinds.any(|kind| kind != first) {
        let all = Value::from(vec![Value::from(before.to_vec()), Value::from(change.to_vec())]);
        return failed(format!(
            "list element types are not identical: {}",
            go_value(&all)
        ));
    }
    Ok(first)
}

fn property<'s>(schema: &'s Value, key: &str) -> &'s Value {
    schema
        .pointer("/properties")
        .and_then(|properties| properties.get(key))
        .or_else(|| schema.get("additionalProperties"))
        .unwrap_or(&Value::Null)
}

/// Returns the strategy of a field, apart from `retainKeys`, which has no effect on the server.
fn strategy(schema: &Value) -> &str {
    let all = schema.get("x-kubernetes-patch-strategy").and_then(Value::as_str);
    let mut all = all.unwrap_or_default().split(',');
    all.find(|strategy| *strategy != "retainKeys").unwrap_or_default()
}

fn merge_key(schema: &Value) -> Option<&str> {
    schema.get("x-kubernetes-patch-merge-key").and_then(Value::as_str)
}

fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|_, entry| !entry.is_null());
            entries.values_mut().for_each(remove_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

/// Removes the objects that have a directive. Returns `None` if this is one.
fn without_directives(value: Value) -> Option<Value> {
    match value {
        Value::Object(entries) if entries.contains_key(DIRECTIVE) => None,
        Value::Object(entries) => {
            let entries = entries.into_iter();
            let entries = entries.filter_map(|(key, entry)| Some((key, without_directives(entry)?)));
            Some(Value::Object(entries.collect()))
        }
        Value::Array(items) => Some(items.into_iter().filter_map(without_directives).collect()),
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({"properties": {
            "names": {"x-kubernetes-patch-strategy": "merge", "items": {"type": "string"}},
            "items": {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name", "items": {
                "properties": {"list": {"items": {"type": "string"}}},
            }},
            "choice": {"x-kubernetes-patch-strategy": "retainKeys", "properties": {}},
        }})
    }

    fn patched(before: Value, patch: Value) -> Result<Value, StrategicPatchError> {
        let mut target = before;
        apply(&mut target, patch.as_object().unwrap(), &schema())?;
        Ok(target)
    }

    #[test]
    fn lists_are_merged_and_ordered() {
        let before = json!({"names": ["a", "b"], "items": [{"name": "x", "v": 1}, {"name": "y"}]});
        for (patch, expected) in [
            (json!({"names": ["c", "a"]}), json!(["c", "a", "b"])),
            (json!({"$setElementOrder/names": ["b", "a"]}), json!(["b", "a"])),
            (json!({"$deleteFromPrimitiveList/names": ["a"]}), json!(["b"])),
            (
                json!({"$setElementOrder/names": ["c", "b"], "names": ["c"]}),
                json!(["c", "a", "b"]),
            ),
        ] {
            assert_eq!(
                patched(before.clone(), patch.clone()).unwrap()["names"],
                expected,
                "{patch}"
            );
        }
        for (patch, expected) in [
            (
                json!({"items": [{"name": "x", "v": null, "w": 2}]}),
                json!([{"name": "x", "w": 2}, {"name": "y"}]),
            ),
            (
                json!({"items": [{"name": "x", "$patch": "delete"}]}),
                json!([{"name": "y"}]),
            ),
            (
                json!({"items": [{"$patch": "replace"}, {"name": "z"}]}),
                json!([{"name": "z"}]),
            ),
            (
                json!({"$setElementOrder/items": [{"name": "z"}, {"name": "x"}], "items": [{"name": "z"}]}),
                json!([{"name": "z"}, {"name": "x", "v": 1}, {"name": "y"}]),
            ),
        ] {
            assert_eq!(
                patched(before.clone(), patch.clone()).unwrap()["items"],
                expected,
                "{patch}"
            );
        }
    }

    #[test]
    fn malformed_patches_are_refused_as_in_go() {
        let before = json!({"items": [{"name": "x"}], "names": ["a"], "choice": {"a": 1}});
        let failed = |message: &str| StrategicPatchError::Failed(message.to_owned());
        for (patch, expected) in [
            (
                json!({"items": [{"image": "i", "n": 1}]}),
                failed("map: map[image:i n:1] does not contain declared merge key: name"),
            ),
            (
                json!({"$patch": "merge"}),
                failed("unknown patch type: merge in map: map[$patch:merge]"),
            ),
            (
                json!({"$setElementOrder/names": ["b"], "names": ["c"]}),
                failed("The order in patch list:\n[c]\n doesn't match $setElementOrder list:\n[b]\n"),
            ),
            (
                json!({"choice": {"$retainKeys": ["b"], "c": 1}}),
                StrategicPatchError::Malformed("invalid patch format of retainKeys"),
            ),
            (
                json!({"names": [["a"]]}),
                failed("list element types are not identical: [[a] [[a]]]"),
            ),
        ] {
            assert_eq!(patched(before.clone(), patch.clone()), Err(expected), "{patch}");
        }
    }
}
