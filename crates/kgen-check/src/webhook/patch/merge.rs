//! The merge itself. Objects merge key by key, `null` removes a key, named lists merge by name, everything else is
//! replaced. The patch was checked before, so types fit.
//!
//! There is one difference from Kubernetes: an object with `"$patch": "replace"` is kept if the entry does not have
//! this object yet. Kubernetes drops it, and with it the user's selector.

use serde_json::{Map, Value};

use super::Mistake;
use super::fields::{Field, Shape};
use super::order;

type Object = Map<String, Value>;

/// Merges `patch` into `original`.
pub(super) fn object(original: &mut Object, patch: &Object, fields: &[Field]) -> Result<(), Mistake> {
    match patch.get("$patch").and_then(Value::as_str) {
        Some("replace") => {
            *original = without_directives(patch);
            return Ok(());
        }
        Some("delete") => {
            original.clear();
            return Ok(());
        }
        _ => {}
    }
    retain_keys(original, patch)?;
    let before = original.clone();
    for (key, value) in patch.iter().filter(|(key, _)| !key.starts_with('$')) {
        if value.is_null() {
            original.remove(key);
            continue;
        }
        // Keys of labels are not fields; their values are strings.
        let shape = fields
            .iter()
            .find(|field| field.name == key)
            .map_or(Shape::Text, |field| field.shape);
        let merged = merged(original.get(key), value, shape)?;
        match merged {
            Some(merged) => original.insert(key.clone(), merged),
            None => original.remove(key),
        };
    }
    for (directive, value) in patch {
        if let Some(name) = directive.strip_prefix("$setElementOrder/") {
            set_order(original, &before, patch, name, items(value))?;
        } else if let Some(name) = directive.strip_prefix("$deleteFromPrimitiveList/") {
            delete_texts(original, name, items(value));
        }
    }
    Ok(())
}

/// Returns the new value of a field; `None` if the patch removes it.
fn merged(original: Option<&Value>, patch: &Value, shape: Shape) -> Result<Option<Value>, Mistake> {
    let fields = match shape {
        Shape::Object(fields) => fields,
        Shape::Labels => &[],
        Shape::NamedObjects(fields) => {
            return named_objects(items(original.unwrap_or(&Value::Null)), items(patch), fields).map(Some);
        }
        _ => return Ok(plain(patch)),
    };
    match (original, patch) {
        (Some(Value::Object(original)), Value::Object(patch)) => {
            let mut original = original.clone();
            object(&mut original, patch, fields)?;
            Ok(Some(Value::Object(original)))
        }
        _ => Ok(plain(patch)),
    }
}

/// Returns the items of a list; empty for any other value.
fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns a new value without directives and without `null`, or `None` if it is deleted.
fn plain(value: &Value) -> Option<Value> {
    match value {
        Value::Object(object)
            if object
                .get("$patch")
                .is_some_and(|directive| directive == "delete") =>
        {
            None
        }
        Value::Object(object) => Some(Value::Object(without_directives(object))),
        Value::Array(items) => Some(items.iter().filter_map(plain).collect()),
        other => Some(other.clone()),
    }
}

fn without_directives(object: &Object) -> Object {
    let kept = object
        .iter()
        .filter(|(key, value)| !(key.starts_with('$') || value.is_null()));
    kept.filter_map(|(key, value)| plain(value).map(|value| (key.clone(), value)))
        .collect()
}

/// Applies `$retainKeys`, which lists every key that is kept or added.
fn retain_keys(original: &mut Object, patch: &Object) -> Result<(), Mistake> {
    let Some(retained) = patch.get("$retainKeys").map(items) else {
        return Ok(());
    };
    let is_retained = |key: &str| retained.iter().any(|retained| retained == key);
    let forgotten = patch
        .iter()
        .find(|(key, value)| !(key.starts_with('$') || value.is_null() || is_retained(key)));
    if let Some((key, _)) = forgotten {
        let message = format!("the patch sets `{key}`, which its `$retainKeys` does not list");
        return Err(Mistake::new(message, format!("add `{key}` to `$retainKeys`")));
    }
    original.retain(|key, _| is_retained(key));
    Ok(())
}

/// Merges the items of equal name, appends the others, and sorts those of the patch in the order of the patch.
fn named_objects(original: &[Value], patch: &[Value], fields: &[Field]) -> Result<Value, Mistake> {
    let directive = |item: &Value| item.get("$patch").and_then(Value::as_str).map(str::to_owned);
    let changes: Vec<&Value> = patch.iter().filter(|item| directive(item).is_none()).collect();
    if patch
        .iter()
        .any(|item| directive(item).as_deref() == Some("replace"))
    {
        return Ok(changes.into_iter().filter_map(plain).collect());
    }
    let is_deleted = |name: &Value| {
        patch
            .iter()
            .any(|item| directive(item).as_deref() == Some("delete") && order::name(item) == name)
    };
    let kept: Vec<Value> = original
        .iter()
        .filter(|item| !is_deleted(order::name(item)))
        .cloned()
        .collect();
    let mut all = kept.clone();
    for change in &changes {
        match all
            .iter_mut()
            .find(|item| order::name(item) == order::name(change))
        {
            Some(Value::Object(existing)) => {
                if let Value::Object(change) = change {
                    object(existing, change, fields)?;
                }
            }
            _ => all.extend(plain(change)),
        }
    }
    let wanted: Vec<&Value> = changes.iter().map(|change| order::name(change)).collect();
    Ok(Value::Array(order::arrange(all, &wanted, &kept)))
}

/// Applies `$setElementOrder`, which sorts the named items in the given order and keeps the others between them.
fn set_order(
    original: &mut Object,
    before: &Object,
    patch: &Object,
    list: &str,
    wanted: &[Value],
) -> Result<(), Mistake> {
    let wanted: Vec<&Value> = wanted.iter().map(order::name).collect();
    let patched = list_of(patch, list)
        .iter()
        .filter(|item| item.get("$patch").is_none());
    let mut positions = patched.map(|item| wanted.iter().position(|name| *name == order::name(item)));
    let ascending = positions.try_fold(0, |least, position| {
        position.filter(|found| *found >= least).map(|found| found + 1)
    });
    if ascending.is_none() {
        let message = format!("`{list}` in the patch and `$setElementOrder/{list}` have different orders");
        return Err(Mistake::new(message, "write the items in the same order in both"));
    }
    if let Some(Value::Array(present)) = original.get_mut(list) {
        *present = order::arrange(std::mem::take(present), &wanted, list_of(before, list));
    }
    Ok(())
}

fn list_of<'a>(object: &'a Object, key: &str) -> &'a [Value] {
    object.get(key).map_or(&[], items)
}

/// Applies `$deleteFromPrimitiveList`, which removes strings from a list.
fn delete_texts(original: &mut Object, list: &str, texts: &[Value]) {
    if let Some(Value::Array(present)) = original.get_mut(list) {
        present.retain(|text| !texts.contains(text));
    }
}
