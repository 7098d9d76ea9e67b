//! An adapter for schemas in the form of `serde_json` values, as a CRD has them below `openAPIV3Schema`.

use serde_json::Value as Json;

use crate::schema::{JsonType, Schema};

/// A structural schema of OpenAPI v3, as a CRD has it below `openAPIV3Schema`.
///
/// The adapter reads the keywords where they are asked for. Keywords of the wrong JSON type count as absent.
///
/// ```
/// use kgen_cel::{JsonType, OpenApi, Schema};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"name": {"type": "string", "maxLength": 63}}});
/// let name = OpenApi::new(&schema).property("name").unwrap();
/// assert_eq!(name.json_type(), Some(JsonType::String));
/// assert_eq!(name.max_length(), Some(63));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpenApi<'s>(&'s Json);

impl<'s> OpenApi<'s> {
    /// Reads the schema in `value`.
    pub fn new(value: &'s Json) -> Self {
        Self(value)
    }

    /// Returns the JSON value that the schema is read from.
    pub fn json(self) -> &'s Json {
        self.0
    }

    fn text(self, key: &str) -> Option<&'s str> {
        self.0.get(key).and_then(Json::as_str)
    }

    fn number(self, key: &str) -> Option<i64> {
        self.0.get(key).and_then(Json::as_i64)
    }

    fn flag(self, key: &str) -> bool {
        self.0.get(key).and_then(Json::as_bool).unwrap_or_default()
    }

    fn part(self, key: &str) -> Option<Self> {
        self.0.get(key).filter(|part| part.is_object()).map(Self)
    }
}

impl Schema for OpenApi<'_> {
    fn json_type(&self) -> Option<JsonType> {
        self.text("type").and_then(JsonType::from_word)
    }

    fn property(&self, name: &str) -> Option<Self> {
        self.0.get("properties")?.as_object()?.get(name).map(Self)
    }

    fn properties(&self) -> impl Iterator<Item = (&str, Self)> {
        let properties = self.0.get("properties").and_then(Json::as_object);
        properties
            .into_iter()
            .flatten()
            .map(|(name, property)| (name.as_str(), Self(property)))
    }

    fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }

    fn items(&self) -> Option<Self> {
        self.part("items")
    }

    fn additional_properties(&self) -> Option<Self> {
        self.part("additionalProperties")
    }

    fn format(&self) -> Option<&str> {
        self.text("format")
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        let names = self.0.get("required").and_then(Json::as_array);
        names.into_iter().flatten().filter_map(Json::as_str)
    }

    fn has_default(&self) -> bool {
        self.0.get("default").is_some_and(|default| !default.is_null())
    }

    fn is_int_or_string(&self) -> bool {
        self.flag("x-kubernetes-int-or-string")
    }

    fn is_embedded_resource(&self) -> bool {
        self.flag("x-kubernetes-embedded-resource")
    }

    fn is_unordered_list(&self) -> bool {
        matches!(self.text("x-kubernetes-list-type"), Some("set" | "map"))
    }

    fn list_map_keys(&self) -> Vec<String> {
        let keys = self
            .0
            .get("x-kubernetes-list-map-keys")
            .and_then(serde_json::Value::as_array);
        let keys = keys.into_iter().flatten().filter_map(serde_json::Value::as_str);
        keys.map(str::to_owned).collect()
    }

    fn max_length(&self) -> Option<i64> {
        self.number("maxLength")
    }

    fn max_items(&self) -> Option<i64> {
        self.number("maxItems")
    }

    fn max_properties(&self) -> Option<i64> {
        self.number("maxProperties")
    }

    fn longest_enum_value(&self) -> Option<usize> {
        let values = self.0.get("enum").and_then(Json::as_array)?;
        let lengths = values.iter().map(|value| value.as_str().map_or(0, str::len));
        lengths.max()
    }
}
