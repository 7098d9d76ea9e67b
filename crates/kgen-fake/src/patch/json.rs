//! JSON patches, RFC 6902.
//!
//! Mirrors `gopkg.in/evanphx/json-patch.v4`, which accepts a few things that the RFC does not.

use serde_json::Value;

use crate::go_word::go_word;

/// Why a patch was not applied.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JsonPatchError {
    /// The patch is not a list of operations.
    Malformed(String),
    /// An operation failed.
    Failed,
}

use JsonPatchError::{Failed, Malformed};

/// Applies all operations, or none.
pub(crate) fn apply(target: &mut Value, patch: &Value) -> Result<(), JsonPatchError> {
    if patch.is_null() {
        // A list of no operations in Go.
        return Ok(());
    }
    let Value::Array(operations) = patch else {
        return Err(Malformed(format!(
            "json: cannot unmarshal {} into Go value of type []handlers.jsonPatchOp",
            go_word(patch)
        )));
    };
    for operation in operations {
        if !operation.is_object() {
            return Err(Malformed(format!(
                "json: cannot unmarshal {} into Go value of type handlers.jsonPatchOp",
                go_word(operation)
            )));
        }
    }
    let mut changed = target.clone();
    for operation in operations {
        apply_one(&mut changed, operation)?;
    }
    *target = changed;
    Ok(())
}

fn apply_one(target: &mut Value, operation: &Value) -> Result<(), JsonPatchError> {
    let text = |key: &str| operation.get(key).and_then(Value::as_str).ok_or(Failed);
    let path = text("path")?;
    let value = || operation.get("value").cloned().unwrap_or(Value::Null);
    match text("op")? {
        "add" => add(target, path, value()),
        "remove" => remove(target, path).map(drop),
        "replace" => {
            if path.is_empty() {
                *target = value();
                return Ok(());
            }
            // A field that does not exist is added.
            let (parent, key) = split(path)?;
            if let Some(Value::Object(entries)) = find_mut(target, parent) {
                entries.insert(key, value());
                return Ok(());
            }
            let place = find_mut(target, path).ok_or(Failed)?;
            *place = value();
            Ok(())
        }
        "move" => {
            let moved = remove(target, text("from")?)?;
            add(target, path, moved)
        }
        "copy" => {
            // A field that does not exist is copied as `null`.
            let from = text("from")?;
            let (parent, _) = split(from)?;
            let is_in_object = find_mut(target, parent).is_some_and(|parent| parent.is_object());
            let copied = match find_mut(target, from) {
                Some(found) => found.clone(),
                None if is_in_object => Value::Null,
                None => return Err(Failed),
            };
            add(target, path, copied)
        }
        "test" => {
            let expected = operation.get("value").unwrap_or(&Value::Null);
            let found = find_mut(target, path);
            match found {
                Some(found) if found == expected => Ok(()),
                // Only the last part of the path may be missing.
                None if expected.is_null() => {
                    let (parent, _) = split(path)?;
                    let parent =
                        find_mut(target, parent).filter(|parent| parent.is_object() || parent.is_array());
                    parent.map(|_| ()).ok_or(Failed)
                }
                _ => Err(Failed),
            }
        }
        _ => Err(Failed),
    }
}

/// Splits a pointer into the one of the parent and the last key.
fn split(path: &str) -> Result<(&str, String), JsonPatchError> {
    let (parent, last) = path.rsplit_once('/').ok_or(Failed)?;
    Ok((parent, last.replace("~1", "/").replace("~0", "~")))
}

fn find_mut<'v>(target: &'v mut Value, path: &str) -> Option<&'v mut Value> {
    target.pointer_mut(path)
}

fn add(target: &mut Value, path: &str, value: Value) -> Result<(), JsonPatchError> {
    if path.is_empty() {
        *target = value;
        return Ok(());
    }
    let (parent, key) = split(path)?;
    match find_mut(target, parent) {
        Some(Value::Object(entries)) => {
            entries.insert(key, value);
        }
        Some(Value::Array(items)) => {
            if key == "-" {
                items.push(value);
                return Ok(());
            }
            let length = items.len();
            let index = index(&key, length + 1)?;
            if index > length {
                return Err(Failed);
            }
            items.insert(index, value);
        }
        _ => return Err(Failed),
    }
    Ok(())
}

fn remove(target: &mut Value, path: &str) -> Result<Value, JsonPatchError> {
    let (parent, key) = split(path)?;
    match find_mut(target, parent) {
        Some(Value::Object(entries)) => entries.remove(&key).ok_or(Failed),
        Some(Value::Array(items)) => {
            let index = index(&key, items.len())?;
            if index >= items.len() {
                return Err(Failed);
            }
            Ok(items.remove(index))
        }
        _ => Err(Failed),
    }
}

/// Reads an index. A negative one counts from the end.
fn index(key: &str, length: usize) -> Result<usize, JsonPatchError> {
    let index: i64 = key.parse().map_err(|_| Failed)?;
    if index < 0 {
        let length = i64::try_from(length).map_err(|_| Failed)?;
        return usize::try_from(length + index).map_err(|_| Failed);
    }
    usize::try_from(index).map_err(|_| Failed)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{JsonPatchError, apply};

    fn patched(target: Value, patch: &Value) -> Result<Value, JsonPatchError> {
        let mut target = target;
        apply(&mut target, patch)?;
        Ok(target)
    }

    #[test]
    fn applies_each_operation() {
        let start = json!({"a": [1, 2], "b/c": 3});
        for (operation, expected) in [
            (
                json!({"op": "add", "path": "/a/-", "value": 3}),
                json!({"a": [1, 2, 3], "b/c": 3}),
            ),
            (
                json!({"op": "add", "path": "/a/0", "value": 0}),
                json!({"a": [0, 1, 2], "b/c": 3}),
            ),
            (
                json!({"op": "remove", "path": "/a/0"}),
                json!({"a": [2], "b/c": 3}),
            ),
            (
                json!({"op": "replace", "path": "/b~1c", "value": 4}),
                json!({"a": [1, 2], "b/c": 4}),
            ),
            (
                json!({"op": "move", "from": "/b~1c", "path": "/d"}),
                json!({"a": [1, 2], "d": 3}),
            ),
            (
                json!({"op": "copy", "from": "/a/1", "path": "/d"}),
                json!({"a": [1, 2], "b/c": 3, "d": 2}),
            ),
            (json!({"op": "test", "path": "/a/1", "value": 2}), start.clone()),
        ] {
            assert_eq!(patched(start.clone(), &json!([operation])), Ok(expected));
        }
    }

    #[test]
    fn changes_nothing_if_one_operation_fails() {
        let mut target = json!({"a": 1});
        let patch =
            json!([{"op": "add", "path": "/b", "value": 2}, {"op": "test", "path": "/a", "value": 2}]);
        assert_eq!(apply(&mut target, &patch), Err(JsonPatchError::Failed));
        assert_eq!(target, json!({"a": 1}));
    }
}
