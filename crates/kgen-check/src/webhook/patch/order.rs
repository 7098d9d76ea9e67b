//! The order of a merged list: the items of the patch are in its order; the others keep their order, each before the
//! first item that followed it.

use serde_json::Value;

/// Returns the identity of an item: the name of an object, or the string itself.
pub(super) fn name(item: &Value) -> &Value {
    item.get("name").unwrap_or(item)
}

/// Sorts `items`: those in `wanted` in that order, the others in their order in `before`.
pub(super) fn arrange(items: Vec<Value>, wanted: &[&Value], before: &[Value]) -> Vec<Value> {
    let wanted_position = |item: &Value| wanted.iter().position(|wanted| *wanted == name(item));
    let old_position = |item: &Value| before.iter().position(|before| name(before) == name(item));
    let (mut named, mut others): (Vec<Value>, Vec<Value>) = items
        .into_iter()
        .partition(|item| wanted_position(item).is_some());
    named.sort_by_key(wanted_position);
    others.sort_by_key(old_position);
    let mut arranged = Vec::with_capacity(named.len() + others.len());
    let mut others = others.into_iter().peekable();
    for item in named {
        let followed = |other: &Value| match (old_position(other), old_position(&item)) {
            (Some(other), Some(item)) => other < item,
            _ => false,
        };
        while let Some(other) = others.next_if(followed) {
            arranged.push(other);
        }
        arranged.push(item);
    }
    arranged.extend(others);
    arranged
}
