//! The elements of list items: the value of an item in a set, and the keys of an item in a keyed list.
//!
//! A key that an item does not have is its default, or is left out if it has none.

use std::sync::Arc;

use serde_json::Value;

use super::element::Element;
use super::schema::{ListKind, ListShape};

impl ListShape {
    /// Returns the element of an item.
    ///
    /// # Errors
    ///
    /// Returns the message of the API server if the item cannot be identified.
    pub(crate) fn element(&self, item: &Value) -> Result<Element, String> {
        match &self.kind {
            ListKind::Atomic => Err("invalid indexing of non-associative list".to_owned()),
            ListKind::Map(keys) if !keys.is_empty() => self.keyed(keys, item),
            ListKind::Map(_) | ListKind::Set => match item {
                Value::Object(_) => {
                    Err("associative list without keys has an element that's a map type".to_owned())
                }
                Value::Array(_) => Err("not supported: associative list with lists as elements".to_owned()),
                Value::Null => {
                    Err("associative list without keys has an element that's an explicit null".to_owned())
                }
                item => Ok(Element::Value(Arc::new(item.clone()))),
            },
        }
    }

    fn keyed(&self, keys: &[String], item: &Value) -> Result<Element, String> {
        let fields = match item {
            Value::Object(fields) => fields,
            Value::Null => return Err("associative list with keys may not have a null element".to_owned()),
            _ => return Err("associative list with keys may not have non-map elements".to_owned()),
        };
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let value = match fields.get(key) {
                Some(value) => Some(value),
                None => {
                    let Some(map) = &self.items.shapes().map else {
                        return Err(format!(
                            "couldn't find default value for {key}: associative list may not have non-map types"
                        ));
                    };
                    map.fields.get(key).and_then(|field| field.default.as_ref())
                }
            };
            if let Some(value) = value {
                found.push((key.clone(), value.clone()));
            }
        }
        if found.is_empty() {
            let keys: Vec<_> = keys.iter().map(|key| kgen_schema::quoted(key)).collect();
            return Err(format!(
                "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values for any key fields)",
                keys.join(" ")
            ));
        }
        Ok(Element::key(found))
    }

    /// Returns whether the list is a single value.
    pub(crate) fn is_atomic(&self) -> bool {
        self.kind == ListKind::Atomic
    }
}
