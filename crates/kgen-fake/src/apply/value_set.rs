//! The set of the paths in a value: what an applied object owns.
//!
//! Members are single values, items of lists, entries of maps and empty maps. A struct with fields is not a member, and
//! neither is a struct field with a list.

use std::collections::BTreeMap;

use serde_json::Value;

use super::element::Element;
use super::schema::{ListShape, MapShape, Schema, Shape, Type};
use super::set::Set;

impl Set {
    /// Returns the paths in an object.
    pub fn of_object(object: &Value, schema: &Schema) -> Self {
        of(object, &schema.root).1
    }

    /// Adds the struct fields on the way to the members, which own themselves as long as something in them is owned.
    pub(crate) fn with_named_fields(&self, type_: &Type) -> Self {
        self.named(Some(type_))
    }

    fn named(&self, type_: Option<&Type>) -> Self {
        let shapes = type_.map(Type::shapes);
        let map = shapes.and_then(|shapes| shapes.map.as_ref());
        let list = shapes.and_then(|shapes| shapes.list.as_ref());
        let mut set = Self::default();
        for node in self.nodes() {
            let (type_, is_field) = match (&node.element, map, list) {
                (Element::Field(name), Some(map), _) => match map.fields.get(name) {
                    Some(field) => (Some(&field.type_), true),
                    None => (map.entries.as_ref(), false),
                },
                (Element::Key(_), _, Some(list)) => (Some(&list.items), false),
                _ => (None, false),
            };
            let below = node.below.as_ref();
            let below = below.map_or_else(Self::default, |below| below.named(type_));
            let is_member = node.is_member || (is_field && !below.is_empty());
            set.push(node.element.clone(), is_member, below);
        }
        set
    }
}

/// Returns whether the value itself is a member, and the members in it.
fn of(value: &Value, type_: &Type) -> (bool, Set) {
    match type_.shapes().shape_of(value) {
        None => (false, Set::default()),
        Some(Shape::Scalar(_)) => (true, Set::default()),
        Some(Shape::List(list)) if list.is_atomic() => (true, Set::default()),
        Some(Shape::Map(map)) if map.is_atomic => (true, Set::default()),
        Some(Shape::List(list)) => (false, of_list(value, list)),
        Some(Shape::Map(map)) => (false, of_map(value, map)),
    }
}

fn of_map(value: &Value, map: &MapShape) -> Set {
    let mut set = Set::default();
    let Value::Object(entries) = value else {
        return set;
    };
    let mut place = 0;
    for (name, value) in entries {
        let (type_, is_field) = map.entry_near(name, &mut place);
        let (is_member, below) = of(value, type_);
        let is_empty = match value {
            Value::Null => true,
            Value::Object(entries) => entries.is_empty(),
            _ => false,
        };
        set.add(&Element::field(name), is_member || is_empty || !is_field, below);
    }
    set
}

/// Items with the same element are not merged, so nobody owns what is in them.
fn of_list(value: &Value, list: &ListShape) -> Set {
    let mut set = Set::default();
    let Value::Array(items) = value else {
        return set;
    };
    let mut found: BTreeMap<Element, Option<&Value>> = BTreeMap::new();
    for item in items {
        if let Ok(element) = list.element(item) {
            let place = found.entry(element);
            place.and_modify(|item| *item = None).or_insert(Some(item));
        }
    }
    for (element, item) in found {
        let below = item.map_or_else(Set::default, |item| of(item, &list.items).1);
        set.push(element, true, below);
    }
    set
}
