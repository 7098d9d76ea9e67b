//! Pairs every part of a new value with the same part of the old value.
//!
//! Mirrors `CorrelatedObject` of the API server. Items of lists are paired by their keys if the list type is `map`;
//! items of other lists are not paired. The errors of an unchanged part are not reported.

use kgen_cel::JsonType;
use serde_json::Value;

use crate::schema::{ListType, Schema};

/// A value and the old value in the same place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correlation<'v> {
    pub(crate) value: &'v Value,
    pub(crate) old: &'v Value,
    pub(crate) schema: &'v Schema,
}

impl<'v> Correlation<'v> {
    /// Returns the pair of a property that both objects have.
    pub(crate) fn key(&self, name: &str) -> Option<Self> {
        Some(Self {
            value: self.value.as_object()?.get(name)?,
            old: self.old.as_object()?.get(name)?,
            schema: self.schema.property(name)?,
        })
    }

    /// Returns the pair of an item.
    pub(crate) fn index(&self, index: usize) -> Option<Self> {
        let value = self.value.as_array()?.get(index)?;
        let old = old_item(self.schema, self.old.as_array()?, value)?;
        Some(Self {
            value,
            old,
            schema: self.schema.items.as_deref()?,
        })
    }

    /// Returns whether the value equals the old one. Items that are identified by keys can have another order.
    pub(crate) fn is_unchanged(&self) -> bool {
        match (self.value, self.old) {
            (Value::Array(items), Value::Array(old)) => {
                if items.len() != old.len() {
                    return false;
                }
                if self.schema.list_type != ListType::Map || self.schema.items.is_none() {
                    return items == old;
                }
                let is_unchanged = |index| self.index(index).is_some_and(|item| item.is_unchanged());
                (0..items.len()).all(is_unchanged)
            }
            (Value::Object(entries), Value::Object(old)) => {
                // A field that the schema does not describe counts as changed.
                let is_unchanged = |name: &String| self.key(name).is_some_and(|entry| entry.is_unchanged());
                entries.len() == old.len() && entries.keys().all(is_unchanged)
            }
            (value, old) => value == old,
        }
    }
}

/// Returns the old item with the same keys as `item`, if the list type is `map`.
pub(crate) fn old_item<'v>(schema: &Schema, old: &'v [Value], item: &Value) -> Option<&'v Value> {
    let keys = &schema.list_map_keys;
    if schema.list_type != ListType::Map || schema.json_type != Some(JsonType::Array) || keys.is_empty() {
        return None;
    }
    let is_scalar = |value: &&Value| matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_));
    let wanted = keys.iter().map(|key| item.get(key).filter(is_scalar));
    let wanted: Vec<_> = wanted.collect::<Option<_>>()?;
    let has_keys = |old: &&Value| {
        keys.iter()
            .zip(&wanted)
            .all(|(key, wanted)| old.get(key) == Some(*wanted))
    };
    old.iter().filter(|old| old.is_object()).find(has_keys)
}
