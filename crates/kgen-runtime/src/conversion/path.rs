//! Places in an object: which schema describes a value, and how items of lists are named.

use kgen_schema::{AdditionalProperties, ListType, META_FIELDS, Schema};
use serde_json::Value;

/// The description of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Location<'s> {
    /// A schema describes the value.
    Described(&'s Schema),
    /// The value can be anything.
    Free,
    /// The value must not exist.
    Undeclared,
}

impl<'s> Location<'s> {
    /// Returns the location of a field.
    pub(super) fn field(self, name: &str) -> Self {
        let Self::Described(schema) = self else {
            return self;
        };
        if let Some(property) = schema.properties.get(name) {
            return Self::Described(property);
        }
        match &schema.additional_properties {
            Some(AdditionalProperties::Schema(other)) => Self::Described(other),
            Some(AdditionalProperties::Allowed(_)) => Self::Free,
            None if schema.preserve_unknown_fields => Self::Free,
            None if schema.embedded_resource && META_FIELDS.contains(&name) => Self::Free,
            None => Self::Undeclared,
        }
    }

    /// Returns the location of the items of a list.
    pub(super) fn item(self) -> Self {
        match self {
            Self::Described(schema) => schema.items.as_deref().map_or(Self::Free, Self::Described),
            other => other,
        }
    }

    pub(super) fn is_undeclared(self) -> bool {
        matches!(self, Self::Undeclared)
    }

    /// Returns the text that identifies an item of a list, such as `name="http"`. Returns `None` if the list does not
    /// have keys, or the item does not have all of them.
    pub(super) fn item_key(self, item: &Value) -> Option<String> {
        let Self::Described(schema) = self else {
            return None;
        };
        if schema.list_type != ListType::Map || schema.list_map_keys.is_empty() {
            return None;
        }
        let mut text = String::new();
        for key in &schema.list_map_keys {
            let value = item.get(key)?;
            if value.is_object() || value.is_array() {
                return None;
            }
            if !text.is_empty() {
                text.push(',');
            }
            text.push_str(key);
            text.push('=');
            text.push_str(&value.to_string());
        }
        Some(text)
    }

    /// Returns the texts that identify all items, or `None` if they do not identify every item.
    pub(super) fn item_keys(self, items: &[Value]) -> Option<Vec<String>> {
        let keys: Vec<String> = items
            .iter()
            .map(|item| self.item_key(item))
            .collect::<Option<_>>()?;
        let mut sorted: Vec<&String> = keys.iter().collect();
        sorted.sort_unstable();
        let is_unique = sorted.windows(2).all(|pair| pair.first() != pair.last());
        is_unique.then_some(keys)
    }
}
