//! Strategic merge patches of built-in kinds.
//!
//! Mirrors `strategicpatch.StrategicMergeMapPatch`. The schema has the strategy and the merge key of each list
//! (`x-kubernetes-patch-strategy`, `x-kubernetes-patch-merge-key`).

use serde_json::{Map, Value};

/// Applies a patch to a value. Returns a message if the patch is malformed.
pub(crate) fn apply(target: &mut Value, patch: &Value, schema: &Value) -> Result<(), String> {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return Ok(());
    };
    match changes.get("$patch").and_then(Value::as_str) {
        Some("replace") => {
            let mut whole = changes.clone();
            whole.remove("$patch");
            *target = Value::Object(whole);
            return Ok(());
        }
        Some("delete") => {
            *target = Value::Object(Map::new());
            return Ok(());
        }
        Some("merge") | None => {}
        Some(other) => return Err(format!("Unknown directive type: {other}")),
    }
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(entries) = target else {
        return Ok(());
    };
    if let Some(kept) = changes.get("$retainKeys").and_then(Value::as_array) {
        entries.retain(|key, _| kept.iter().any(|kept| kept == key));
    }
    for (key, change) in changes {
        if let Some(field) = key.strip_prefix("$deleteFromPrimitiveList/") {
            if let (Some(Value::Array(items)), Value::Array(deleted)) = (entries.get_mut(field), change) {
                items.retain(|item| !deleted.contains(item));
            }
            continue;
        }
        if key.starts_with('$') {
            continue;
        }
        let inner = property(schema, key);
        if change.is_null() {
            entries.remove(key);
            continue;
        }
        let strategy = inner
            .get("x-kubernetes-patch-strategy")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let merges = strategy.split(',').any(|strategy| strategy == "merge");
        match (change, entries.get_mut(key)) {
            (Value::Object(_), found) => {
                let replaces = strategy.split(',').any(|strategy| strategy == "replace");
                match found {
                    Some(found) if !replaces => apply(found, change, inner)?,
                    _ => {
                        let mut new = Value::Object(Map::new());
                        apply(&mut new, change, inner)?;
                        entries.insert(key.clone(), new);
                    }
                }
            }
            (Value::Array(items), found) if merges => {
                let merge_key = inner.get("x-kubernetes-patch-merge-key").and_then(Value::as_str);
                let before = match found {
                    Some(Value::Array(before)) => std::mem::take(before),
                    _ => Vec::new(),
                };
                let order = changes.get(&format!("$setElementOrder/{key}"));
                let merged = merge_list(before, items, merge_key, order, inner)?;
                entries.insert(key.clone(), Value::Array(merged));
            }
            _ => {
                entries.insert(key.clone(), change.clone());
            }
        }
    }
    Ok(())
}

fn property<'s>(schema: &'s Value, key: &str) -> &'s Value {
    schema
        .pointer("/properties")
        .and_then(|properties| properties.get(key))
        .or_else(|| schema.get("additionalProperties"))
        .unwrap_or(&Value::Null)
}

fn merge_list(
    before: Vec<Value>,
    changes: &[Value],
    merge_key: Option<&str>,
    order: Option<&Value>,
    schema: &Value,
) -> Result<Vec<Value>, String> {
    let inner = schema.get("items").unwrap_or(&Value::Null);
    let mut merged = before;
    let Some(merge_key) = merge_key else {
        for change in changes {
            if !merged.contains(change) {
                merged.push(change.clone());
            }
        }
        return Ok(merged);
    };
    if changes
        .iter()
        .any(|change| change.get("$patch").and_then(Value::as_str) == Some("replace"))
    {
        let kept = changes.iter().filter(|change| change.get("$patch").is_none());
        return Ok(kept.cloned().collect());
    }
    for change in changes {
        let Some(key) = change.get(merge_key) else {
            return Err(format!(
                "map: {change} does not contain declared merge key: {merge_key}"
            ));
        };
        let position = merged.iter().position(|item| item.get(merge_key) == Some(key));
        if change.get("$patch").and_then(Value::as_str) == Some("delete") {
            merged.retain(|item| item.get(merge_key) != Some(key));
            continue;
        }
        match position.and_then(|position| merged.get_mut(position)) {
            Some(item) => apply(item, change, inner)?,
            None => {
                let mut new = Value::Object(Map::new());
                apply(&mut new, change, inner)?;
                merged.push(new);
            }
        }
    }
    if let Some(order) = order.and_then(Value::as_array) {
        let place = |item: &Value| {
            let key = item.get(merge_key);
            order.iter().position(|ordered| ordered.get(merge_key) == key)
        };
        merged.sort_by_key(|item| place(item).unwrap_or(usize::MAX));
    }
    Ok(merged)
}
