//! The differences between two objects as three sets of paths: removed, modified and added.
//!
//! A struct, map or list that is in only one of the objects is in the set together with everything in it. Where both have
//! it, only the parts that differ are.

use std::collections::BTreeMap;

use serde_json::Value;

use super::element::Element;
use super::schema::{ListShape, MapShape, Schema, Shape, Type};
use super::set::Set;
use super::value::equal;

/// The differences between two objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The paths that only the old object has.
    pub removed: Set,
    /// The paths whose values differ.
    pub modified: Set,
    /// The paths that only the new object has.
    pub added: Set,
}

/// The change of the value at a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Removed,
    Modified,
    Added,
}

/// The values at one path in both objects. At least one of them exists.
type Pair<'v> = (Option<&'v Value>, Option<&'v Value>);

impl Changes {
    /// Compares two objects of the same type.
    pub fn between(old: &Value, new: &Value, schema: &Schema) -> Self {
        let mut changes = Self::default();
        compare((Some(old), Some(new)), &schema.root, &mut changes);
        changes
    }

    /// Removes paths and everything below them.
    pub(crate) fn without(&mut self, paths: &Set) {
        for set in [&mut self.removed, &mut self.modified, &mut self.added] {
            if !set.is_empty() {
                *set = set.recursive_difference(paths);
            }
        }
    }

    /// Adds the changes below an element, and the change of the element itself.
    fn add(&mut self, element: &Element, change: Option<Change>, below: Self) {
        let is = |wanted: Change| change == Some(wanted);
        self.removed.add(element, is(Change::Removed), below.removed);
        self.modified.add(element, is(Change::Modified), below.modified);
        self.added.add(element, is(Change::Added), below.added);
    }
}

/// Compares the values at one path. Adds the changes below it, and returns the change of the path itself.
fn compare(pair: Pair<'_>, type_: &Type, below: &mut Changes) -> Option<Change> {
    let shapes = type_.shapes();
    let (left, right) = (shapes.possible(pair.0), shapes.possible(pair.1));
    let change = match pair {
        (_, None) => compare_as(pair, shapes.shape(left), below),
        (Some(_), Some(_)) if left != right => {
            // The old value is removed as what it was, and the new value is added as what it is.
            let old = compare_as(pair, shapes.shape(left), below).flatten();
            let new = compare_as(pair, shapes.shape(right), below).flatten();
            return new.or(old);
        }
        _ => compare_as(pair, shapes.shape(right), below),
    };
    change.unwrap_or(match pair {
        (None, _) => Some(Change::Added),
        (_, None) => Some(Change::Removed),
        _ => None,
    })
}

/// Returns the change of the path if the values are compared as a whole, and `None` if their parts are.
fn compare_as(pair: Pair<'_>, shape: Option<Shape<'_>>, below: &mut Changes) -> Option<Option<Change>> {
    let whole = || {
        Some(match pair {
            (None, _) => Some(Change::Added),
            (_, None) => Some(Change::Removed),
            (Some(left), Some(right)) => (!equal(left, right)).then_some(Change::Modified),
        })
    };
    match shape {
        None => None,
        Some(Shape::Scalar(_)) => whole(),
        Some(Shape::Map(map)) => {
            if map.is_atomic || (is_empty_map(pair.0) && is_empty_map(pair.1)) {
                return whole();
            }
            compare_maps(pair, map, below);
            None
        }
        Some(Shape::List(list)) => {
            if list.is_atomic() || (items(pair.0).is_empty() && items(pair.1).is_empty()) {
                return whole();
            }
            compare_lists(pair, list, below);
            None
        }
    }
}

fn is_empty_map(value: Option<&Value>) -> bool {
    value.and_then(Value::as_object).is_none_or(|map| map.is_empty())
}

fn items(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::Array(items)) => items,
        _ => &[],
    }
}

fn compare_maps(pair: Pair<'_>, map: &MapShape, below: &mut Changes) {
    let left = pair.0.and_then(Value::as_object);
    let right = pair.1.and_then(Value::as_object);
    // Both maps usually have the same names in the same order.
    let mut next = right.into_iter().flatten().peekable();
    for (name, old) in left.into_iter().flatten() {
        let new = match next.next_if(|(next, _)| *next == name) {
            Some((_, new)) => Some(new),
            None => right.and_then(|right| right.get(name)),
        };
        compare_entry(name, (Some(old), new), map, below);
    }
    for (name, new) in right.into_iter().flatten() {
        if left.is_none_or(|left| !left.contains_key(name)) {
            compare_entry(name, (None, Some(new)), map, below);
        }
    }
}

fn compare_entry(name: &str, pair: Pair<'_>, map: &MapShape, below: &mut Changes) {
    // Most values do not change.
    if let (Some(old), Some(new)) = pair
        && equal(old, new)
    {
        return;
    }
    let mut changes = Changes::default();
    let change = compare(pair, map.entry(name).0, &mut changes);
    below.add(&Element::field(name), change, changes);
}

fn compare_lists(pair: Pair<'_>, list: &ListShape, below: &mut Changes) {
    let mut found: BTreeMap<Element, (Vec<&Value>, Vec<&Value>)> = BTreeMap::new();
    for item in items(pair.0) {
        if let Ok(element) = list.element(item) {
            found.entry(element).or_default().0.push(item);
        }
    }
    for item in items(pair.1) {
        if let Ok(element) = list.element(item) {
            found.entry(element).or_default().1.push(item);
        }
    }
    for (element, (old, new)) in found {
        let mut changes = Changes::default();
        let item = |pair: Pair<'_>, changes: &mut Changes| compare(pair, &list.items, changes);
        let first = |items: &[&'_ Value]| items.first().map(|item| (*item).clone());
        match (&*old, &*new) {
            ([] | [_], [] | [_]) => {
                let change = item((old.first().copied(), new.first().copied()), &mut changes);
                below.add(&element, change, changes);
            }
            // Items with the same element are compared as a whole.
            ([_, _, ..], [_, _, ..]) => {
                let is_same =
                    old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| equal(old, new));
                let change = (!is_same).then_some(Change::Modified);
                below.add(&element, change, changes);
            }
            ([_, _, ..], _) => {
                if let Some(new) = first(&new) {
                    let change = item((None, Some(&new)), &mut changes);
                    below.add(&element, change, changes);
                }
                below.add(&element, Some(Change::Removed), Changes::default());
            }
            (_, [_, _, ..]) => {
                if let Some(old) = first(&old) {
                    let change = item((Some(&old), None), &mut changes);
                    below.add(&element, change, changes);
                }
                below.add(&element, Some(Change::Added), Changes::default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Changes, Schema};

    /// Old objects may have several items with the same element. Nothing in them is tracked.
    #[test]
    fn items_with_the_same_element_are_compared_as_a_whole() {
        let schema = kgen_schema::Schema::read(&json!({"type": "object", "properties": {"ports": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"],
            "items": {"type": "object", "properties": {
                "port": {"type": "integer"}, "name": {"type": "string"},
            }},
        }}}));
        let schema = Schema::of_custom_resource(&schema.unwrap());
        let changes = |old: &Value, new: &Value| {
            let object = |ports: &Value| json!({"ports": ports});
            let changes = Changes::between(&object(old), &object(new), &schema);
            [changes.removed, changes.modified, changes.added].map(|set| set.to_json())
        };
        let one = json!([{"port": 1, "name": "a"}]);
        let two = json!([{"port": 1, "name": "a"}, {"port": 1, "name": "b"}]);
        let others = json!([{"port": 1, "name": "a"}, {"port": 1, "name": "c"}]);
        let item = json!({"f:ports": {"k:{\"port\":1}": {}}});
        let parts = json!({"f:ports": {"k:{\"port\":1}": {".": {}, "f:name": {}, "f:port": {}}}});
        let none = json!({});
        assert_eq!(changes(&two, &two), [none.clone(), none.clone(), none.clone()]);
        assert_eq!(changes(&two, &others), [none.clone(), item.clone(), none.clone()]);
        assert_eq!(changes(&two, &one), [item.clone(), none.clone(), parts.clone()]);
        assert_eq!(changes(&one, &two), [parts, none, item]);
    }
}
