//! Merges an applied object into the live object.
//!
//! Fields of structs and entries of maps are merged one by one, items of lists by their element. Everything else is replaced.
//! Nothing is removed here.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use super::element::Element;
use super::schema::{ListShape, MapShape, Schema, Shape, Type};

/// Merges `applied` into `live`.
pub(crate) fn merge(live: &mut Value, applied: &Value, schema: &Schema) {
    merge_value(live, applied, &schema.root);
}

fn merge_value(live: &mut Value, applied: &Value, type_: &Type) {
    let shapes = type_.shapes();
    match shapes.shape(shapes.possible(Some(applied))) {
        Some(Shape::Map(map)) if !map.is_atomic => merge_maps(live, applied, map),
        Some(Shape::List(list)) if !list.is_atomic() => merge_lists(live, applied, list),
        _ => applied.clone_into(live),
    }
}

fn merge_maps(live: &mut Value, applied: &Value, map: &MapShape) {
    let is_empty = |value: &Value| value.as_object().is_none_or(|map| map.is_empty());
    if is_empty(live) {
        // An empty map and null are different values.
        applied.clone_into(live);
        return;
    }
    // Null adds nothing.
    let (Value::Object(live), Value::Object(applied)) = (live, applied) else {
        return;
    };
    for (name, applied) in applied {
        match live.get_mut(name) {
            Some(live) => merge_value(live, applied, map.entry(name).0),
            None => {
                live.insert(name.clone(), applied.clone());
            }
        }
    }
}

fn merge_lists(live: &mut Value, applied: &Value, list: &ListShape) {
    let is_empty = |value: &Value| value.as_array().is_none_or(|items| items.is_empty());
    if is_empty(live) {
        applied.clone_into(live);
        return;
    }
    let (Value::Array(live), Value::Array(applied)) = (live, applied) else {
        return;
    };
    let items = std::mem::take(live);
    *live = ListMerge::new(items, applied, list).run();
}

/// Merges two lists whose items have elements.
///
/// The result has the items of both, those of the applied list in its order. Live items that are not applied keep their
/// place relative to the items around them as far as that order allows.
struct ListMerge<'m> {
    list: &'m ListShape,
    live: VecDeque<(Element, Value)>,
    /// The live items that have an applied counterpart. Items with the same element are not merged, only replaced.
    counterparts: BTreeMap<Element, Option<Value>>,
    applied: VecDeque<(Element, &'m Value)>,
    applied_elements: BTreeSet<Element>,
    /// The elements of both lists, in the order of the applied list.
    shared: VecDeque<Element>,
    taken: BTreeSet<Element>,
    out: Vec<Value>,
}

impl<'m> ListMerge<'m> {
    fn new(live: Vec<Value>, applied: &'m [Value], list: &'m ListShape) -> Self {
        let with_element = |item: Value| list.element(&item).ok().map(|element| (element, item));
        let live: VecDeque<_> = live.into_iter().filter_map(with_element).collect();
        let applied = applied.iter();
        let applied: VecDeque<_> = applied
            .filter_map(|item| list.element(item).ok().map(|element| (element, item)))
            .collect();
        let applied_elements: BTreeSet<_> = applied.iter().map(|(element, _)| element.clone()).collect();
        let mut counterparts = BTreeMap::new();
        for (element, item) in &live {
            if applied_elements.contains(element) {
                let place = counterparts.entry(element.clone());
                place
                    .and_modify(|item| *item = None)
                    .or_insert_with(|| Some(item.clone()));
            }
        }
        let shared = applied.iter().map(|(element, _)| element);
        Self {
            list,
            shared: shared
                .filter(|element| counterparts.contains_key(element))
                .cloned()
                .collect(),
            out: Vec::with_capacity(live.len().max(applied.len())),
            live,
            counterparts,
            applied,
            applied_elements,
            taken: BTreeSet::new(),
        }
    }

    fn run(mut self) -> Vec<Value> {
        loop {
            match (self.live.front(), self.applied.front()) {
                (None, None) => return self.out,
                (Some((live, _)), Some((applied, _))) => {
                    if live == applied {
                        self.live.pop_front();
                        self.take_applied();
                        self.shared.pop_front();
                        continue;
                    }
                    let is_later = self.shared.front().is_some_and(|next| next != live);
                    if self.applied_elements.contains(live) && is_later {
                        // It is placed when its turn comes in the order of the applied list.
                        self.live.pop_front();
                        continue;
                    }
                }
                _ => {}
            }
            if let Some((element, _)) = self.live.front() {
                if !self.applied_elements.contains(element) {
                    self.out.extend(self.live.pop_front().map(|(_, item)| item));
                    continue;
                }
                if self.taken.contains(element) {
                    self.live.pop_front();
                }
            }
            if let Some(element) = self.take_applied()
                && self.shared.front() == Some(&element)
            {
                self.shared.pop_front();
            }
        }
    }

    /// Moves the next applied item to the result, merged with its counterpart.
    fn take_applied(&mut self) -> Option<Element> {
        let (element, applied) = self.applied.pop_front()?;
        let item = match self.counterparts.remove(&element).flatten() {
            Some(mut live) => {
                merge_value(&mut live, applied, &self.list.items);
                live
            }
            None => applied.clone(),
        };
        self.out.push(item);
        self.taken.insert(element.clone());
        Some(element)
    }
}
