//! The model's schemas as `kgen-cel` reads them.

use std::ptr;

use kgen_cel::JsonType;
use kgen_model::{ListType, Schema};

/// A schema of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle<'s>(pub(super) &'s Schema);

impl kgen_cel::Schema for Handle<'_> {
    fn json_type(&self) -> Option<JsonType> {
        self.0.json_type.map(crate::values::convert::json_type)
    }

    fn property(&self, name: &str) -> Option<Self> {
        self.0.properties.get(name).map(|property| Self(property))
    }

    fn properties(&self) -> impl Iterator<Item = (&str, Self)> {
        let properties = self.0.properties.iter();
        properties.map(|(name, property)| (name.as_str(), Self(property)))
    }

    fn is_same(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }

    fn items(&self) -> Option<Self> {
        self.0.items.as_deref().map(Self)
    }

    fn additional_properties(&self) -> Option<Self> {
        self.0.additional_properties.as_deref().map(Self)
    }

    fn format(&self) -> Option<&str> {
        self.0.format()
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        self.0.required.iter().map(AsRef::as_ref)
    }

    fn has_default(&self) -> bool {
        self.0.default.as_ref().is_some_and(|default| !default.is_null())
    }

    fn is_int_or_string(&self) -> bool {
        self.0.int_or_string
    }

    fn is_embedded_resource(&self) -> bool {
        self.0.embedded_resource
    }

    fn is_unordered_list(&self) -> bool {
        matches!(self.0.list_type, Some(ListType::Set | ListType::Map))
    }

    fn max_length(&self) -> Option<i64> {
        self.0.constraints.max_length
    }

    fn max_items(&self) -> Option<i64> {
        self.0.constraints.max_items
    }

    fn max_properties(&self) -> Option<i64> {
        self.0.constraints.max_properties
    }

    fn longest_enum_value(&self) -> Option<usize> {
        let values = self.0.constraints.enumeration.as_ref()?;
        let lengths = values.iter().map(|value| value.as_str().map_or(0, str::len));
        lengths.max()
    }
}
