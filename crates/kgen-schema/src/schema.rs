//! A structural schema: the keywords of one value and of everything within it.
//!
//! The struct has the keywords that the API server evaluates at run time, and examples, which samples prefer. Titles and
//! descriptions are left out.
//! [`Schema::read`](crate::Schema::read) creates it from JSON. Other sources of schemas fill the fields themselves.

use std::collections::BTreeMap;
use std::sync::Arc;

use kgen_cel::JsonType;
use serde_json::Value;

use crate::rule::Rule;

/// The schema of one value.
///
/// Children are shared, so that a type that is used in many places can be described once.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// `type`; `None` if any type is allowed.
    pub json_type: Option<JsonType>,
    /// `format`.
    pub format: Option<String>,
    /// `nullable`.
    pub nullable: bool,
    /// `default`, if it is not `null`.
    pub default: Option<Value>,
    /// `example`, if it is not `null`. The API server ignores it.
    pub example: Option<Box<Value>>,
    /// `properties`.
    pub properties: BTreeMap<String, Arc<Schema>>,
    /// `required`.
    pub required: Vec<String>,
    /// `additionalProperties`; `None` if the keyword is absent.
    pub additional_properties: Option<AdditionalProperties>,
    /// `items`.
    pub items: Option<Arc<Schema>>,
    /// The keywords that narrow the value.
    pub limits: Limits,
    /// `allOf`.
    pub all_of: Vec<Schema>,
    /// `anyOf`.
    pub any_of: Vec<Schema>,
    /// `oneOf`.
    pub one_of: Vec<Schema>,
    /// `not`.
    pub not: Option<Arc<Schema>>,
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown_fields: bool,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-list-type`.
    pub list_type: ListType,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Vec<String>,
    /// Whether `x-kubernetes-map-type` is `atomic`.
    pub atomic_map: bool,
    /// `x-kubernetes-validations`.
    pub rules: Vec<Rule>,
    /// Whether the reader has seen that nothing within this schema has a default. It saves time; `false` is always right.
    pub no_defaults_within: bool,
}

/// The value of `additionalProperties`.
#[derive(Clone, Debug)]
pub enum AdditionalProperties {
    /// Whether other properties are allowed at all.
    Allowed(bool),
    /// The schema of the other properties.
    Schema(Arc<Schema>),
}

/// The value of `x-kubernetes-list-type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListType {
    /// The list is one value, or the keyword is absent.
    #[default]
    Atomic,
    /// Items are identified by some of their fields.
    Map,
    /// Items are unique.
    Set,
}

/// Bounds, lengths, patterns and enumerations.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// `enum`.
    pub enumeration: Vec<Value>,
    /// `minimum`.
    pub minimum: Option<f64>,
    /// `maximum`.
    pub maximum: Option<f64>,
    /// `exclusiveMinimum`.
    pub exclusive_minimum: bool,
    /// `exclusiveMaximum`.
    pub exclusive_maximum: bool,
    /// `multipleOf`.
    pub multiple_of: Option<f64>,
    /// `minLength`.
    pub min_length: Option<i64>,
    /// `maxLength`.
    pub max_length: Option<i64>,
    /// `pattern`.
    pub pattern: Option<String>,
    /// `minItems`.
    pub min_items: Option<i64>,
    /// `maxItems`.
    pub max_items: Option<i64>,
    /// `uniqueItems`.
    pub unique_items: bool,
    /// `minProperties`.
    pub min_properties: Option<i64>,
    /// `maxProperties`.
    pub max_properties: Option<i64>,
}

impl Schema {
    /// Returns the schema of the properties that are not in `properties`.
    pub fn additional_schema(&self) -> Option<&Schema> {
        match &self.additional_properties {
            Some(AdditionalProperties::Schema(schema)) => Some(schema),
            _ => None,
        }
    }

    /// Fills in defaults where the enclosing object exists. Returns whether there was anything to fill in.
    ///
    /// ```
    /// use kgen_schema::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::read(&json!({"type": "object", "properties": {"size": {"type": "integer", "default": 1}}}))?;
    /// let mut value = json!({});
    /// assert!(schema.lacks_defaults(&value));
    /// assert!(schema.fill_in_defaults(&mut value));
    /// assert_eq!(value, json!({"size": 1}));
    /// # Ok::<(), kgen_schema::ReadError>(())
    /// ```
    pub fn fill_in_defaults(&self, value: &mut Value) -> bool {
        crate::defaults::fill_in(self, value)
    }

    /// Returns whether [`fill_in_defaults`](Self::fill_in_defaults) would change a value.
    pub fn lacks_defaults(&self, value: &Value) -> bool {
        crate::defaults::is_missing_any(self, value)
    }

    /// Removes the fields that the schema does not describe. Returns whether there were any.
    ///
    /// `is_resource` says whether the value is a whole object, which keeps its type and metadata.
    ///
    /// ```
    /// use kgen_schema::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::read(&json!({"type": "object", "properties": {"size": {"type": "integer"}}}))?;
    /// let mut value = json!({"size": 1, "sise": 2});
    /// assert!(schema.remove_unknown_fields(&mut value, false));
    /// assert_eq!(value, json!({"size": 1}));
    /// # Ok::<(), kgen_schema::ReadError>(())
    /// ```
    pub fn remove_unknown_fields(&self, value: &mut Value, is_resource: bool) -> bool {
        let has_unknown = self.has_unknown_fields(value, is_resource);
        if has_unknown {
            crate::prune::Pruner::new().prune(Some(self), value, is_resource);
        }
        has_unknown
    }

    /// Returns whether a value has fields that the schema does not describe.
    pub fn has_unknown_fields(&self, value: &Value, is_resource: bool) -> bool {
        crate::prune::has_unknown(Some(self), value, is_resource)
    }

    /// Visits all schemas directly within this one.
    pub(crate) fn each_part_mut(&mut self, visit: &mut impl FnMut(&mut Schema)) {
        let shared = self
            .properties
            .values_mut()
            .chain(&mut self.items)
            .chain(&mut self.not);
        let shared = shared.chain(match &mut self.additional_properties {
            Some(AdditionalProperties::Schema(other)) => Some(other),
            _ => None,
        });
        for part in shared {
            visit(Arc::make_mut(part));
        }
        for part in self
            .all_of
            .iter_mut()
            .chain(&mut self.any_of)
            .chain(&mut self.one_of)
        {
            visit(part);
        }
    }

    /// Returns the schema of a property, whether it is listed or not.
    pub fn property(&self, name: &str) -> Option<&Schema> {
        self.properties
            .get(name)
            .map(AsRef::as_ref)
            .or_else(|| self.additional_schema())
    }
}

/// A schema as `kgen-cel` reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle<'s>(pub(crate) &'s Schema);

impl kgen_cel::Schema for Handle<'_> {
    fn json_type(&self) -> Option<JsonType> {
        self.0.json_type
    }

    fn property(&self, name: &str) -> Option<Self> {
        self.0.properties.get(name).map(|property| Self(property))
    }

    fn properties(&self) -> impl Iterator<Item = (&str, Self)> {
        let properties = self.0.properties.iter();
        properties.map(|(name, property)| (name.as_str(), Self(property)))
    }

    fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }

    fn items(&self) -> Option<Self> {
        self.0.items.as_deref().map(Self)
    }

    fn additional_properties(&self) -> Option<Self> {
        self.0.additional_schema().map(Self)
    }

    fn format(&self) -> Option<&str> {
        self.0.format.as_deref()
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        self.0.required.iter().map(AsRef::as_ref)
    }

    fn has_default(&self) -> bool {
        self.0.default.is_some()
    }

    fn is_int_or_string(&self) -> bool {
        self.0.int_or_string
    }

    fn is_embedded_resource(&self) -> bool {
        self.0.embedded_resource
    }

    fn is_unordered_list(&self) -> bool {
        self.0.list_type != ListType::Atomic
    }

    fn list_map_keys(&self) -> Vec<String> {
        self.0.list_map_keys.clone()
    }

    fn max_length(&self) -> Option<i64> {
        self.0.limits.max_length
    }

    fn max_items(&self) -> Option<i64> {
        self.0.limits.max_items
    }

    fn max_properties(&self) -> Option<i64> {
        self.0.limits.max_properties
    }

    fn longest_enum_value(&self) -> Option<usize> {
        let values = self.0.limits.enumeration.iter();
        values.map(|value| value.as_str().map_or(0, str::len)).max()
    }
}
