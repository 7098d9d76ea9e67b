//! Removes paths from an object.
//!
//! A path that is a member disappears together with everything in it. A map or list that loses all its parts becomes null.
//! A single value with parts, such as an atomic list, becomes null if a path leads into it.

use serde_json::{Map, Value};

use super::schema::{ListShape, MapShape, Shape, Type};
use super::set::Set;

/// Returns a value without the paths in `paths`.
pub(crate) fn without(value: &Value, paths: &Set, type_: &Type) -> Value {
    match (type_.shapes().shape_of(value), value) {
        (Some(Shape::Scalar(_)), value) => value.clone(),
        (Some(Shape::List(list)), Value::Array(items)) if !list.is_atomic() => from_list(items, paths, list),
        (Some(Shape::Map(map)), Value::Object(entries)) if !map.is_atomic => from_map(entries, paths, map),
        _ => Value::Null,
    }
}

fn from_list(items: &[Value], paths: &Set, list: &ListShape) -> Value {
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let element = list.element(item).ok();
        let node = element.and_then(|element| paths.node(&element));
        match node {
            Some(node) if node.is_member => {}
            Some(node) => {
                let below = node.below.as_ref();
                kept.extend(below.map(|below| without(item, below, &list.items)));
            }
            None => kept.push(item.clone()),
        }
    }
    if kept.is_empty() {
        Value::Null
    } else {
        Value::Array(kept)
    }
}

fn from_map(entries: &Map<String, Value>, paths: &Set, map: &MapShape) -> Value {
    let mut kept = Map::new();
    for (name, value) in entries {
        match paths.field(name) {
            Some(node) if node.is_member => {}
            Some(node) => {
                if let Some(below) = &node.below {
                    kept.insert(name.clone(), without(value, below, map.entry(name).0));
                }
            }
            None => {
                kept.insert(name.clone(), value.clone());
            }
        }
    }
    if kept.is_empty() {
        Value::Null
    } else {
        Value::Object(kept)
    }
}
