//! The schema of one JSON value, as in CRDs.
//!
//! The type (its JSON type, properties, items) is set once. Its [`Constraints`] are stated level by level: by the type
//! itself, by a newtype around it, by the field. Each level is combined with the inherited one, so that the tighter of
//! two bounds applies and constraints do not accumulate.

mod constraints;
mod json;
mod places;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::{Descriptor, Sparse};

pub use constraints::{Conflict, Constraints, Rule, RuleOrigins};
pub use places::{Keyword, Places};

/// The `type` of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JsonType {
    /// A list.
    Array,
    /// True or false.
    Boolean,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// A map or a struct.
    Object,
    /// A text.
    String,
}

impl JsonType {
    /// Returns the word in a schema.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Object => "object",
            Self::String => "string",
        }
    }

    /// Returns the type of a word in a schema.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [
            Self::Array,
            Self::Boolean,
            Self::Integer,
            Self::Number,
            Self::Object,
            Self::String,
        ]
        .into_iter()
        .find(|json_type| json_type.word() == word)
    }
}

/// How lists merge under server-side apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListType {
    /// As a whole.
    Atomic,
    /// By the keys of their items.
    Map,
    /// By their scalar items.
    Set,
}

impl ListType {
    /// Returns the word in a schema.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Map => "map",
            Self::Set => "set",
        }
    }

    /// Returns the type of a word in a schema.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Atomic, Self::Map, Self::Set]
            .into_iter()
            .find(|known| known.word() == word)
    }
}

/// How maps and structs merge under server-side apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapType {
    /// As a whole.
    Atomic,
    /// Field by field.
    Granular,
}

impl MapType {
    /// Returns the word in a schema.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Granular => "granular",
        }
    }

    /// Returns the type of a word in a schema.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Atomic, Self::Granular]
            .into_iter()
            .find(|known| known.word() == word)
    }
}

/// A link to external documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalDocumentation {
    /// Where it is.
    pub url: String,
    /// Its description.
    pub description: Option<String>,
}

/// The schema of one value.
///
/// Children are shared: a type of many fields is described once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// `type`; `None` if any value is allowed.
    pub json_type: Option<JsonType>,
    /// The format of the Rust type; a format of a marker is in the constraints and takes precedence.
    pub implied_format: Option<&'static str>,
    /// `title`.
    pub title: Option<Box<str>>,
    /// `description`.
    pub description: Option<String>,
    /// `externalDocs`.
    pub external_documentation: Option<Box<ExternalDocumentation>>,
    /// `default`.
    pub default: Option<Value>,
    /// `example`.
    pub example: Option<Box<Value>>,
    /// `properties`.
    pub properties: BTreeMap<String, Arc<Schema>>,
    /// `required`.
    pub required: BTreeSet<String>,
    /// `additionalProperties`.
    pub additional_properties: Option<Arc<Schema>>,
    /// `items`.
    pub items: Option<Arc<Schema>>,
    /// `anyOf`.
    pub any_of: Sparse<Vec<Schema>>,
    /// `oneOf`.
    pub one_of: Sparse<Vec<Schema>>,
    /// `not`.
    pub not: Option<Arc<Schema>>,
    /// `nullable`.
    pub nullable: bool,
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown_fields: bool,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-list-type`.
    pub list_type: Option<ListType>,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Sparse<Vec<String>>,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<MapType>,
    /// The constraints on the value.
    pub constraints: Sparse<Constraints>,
    /// Where all this is written.
    pub places: Places,
    /// Fields of the source that a `cfg` disables.
    pub switched_off: Sparse<Vec<SwitchedOffField>>,
    /// Entries in catalogs. They are not part of the schema that an API server reads.
    pub descriptors: Sparse<Vec<Descriptor>>,
}

/// A field that a `cfg` disables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchedOffField {
    /// The name in JSON.
    pub name: String,
    /// The condition that does not hold, such as `feature = "x"`.
    pub condition: String,
}

impl Schema {
    /// Returns the condition that switches the field `name` off, if the source has such a field.
    #[must_use]
    pub fn disabled_field(&self, name: &str) -> Option<&str> {
        let field = self.switched_off.iter().find(|field| field.name == name);
        field.map(|field| field.condition.as_str())
    }

    /// The most parts that a schema may have. An API server accepts three megabytes, and no part is shorter than ten
    /// characters.
    pub const LARGEST: usize = 300_000;

    /// Returns whether the schema is too large to be written out. Shared children count each time that they are used.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        let mut left = Self::LARGEST;
        let mut waiting = vec![self];
        while let Some(schema) = waiting.pop() {
            if left == 0 {
                return true;
            }
            left -= 1;
            let shared = [&schema.additional_properties, &schema.items, &schema.not];
            waiting.extend(shared.into_iter().flatten().map(Arc::as_ref));
            waiting.extend(schema.properties.values().map(Arc::as_ref));
            waiting.extend(schema.any_of.iter());
            waiting.extend(schema.one_of.iter());
            waiting.extend(schema.constraints.all_of.iter());
        }
        false
    }

    /// Returns the schema without the places of its parts and without entries in catalogs, so that it can be compared.
    #[must_use]
    pub fn without_places(&self) -> Self {
        let child = |child: &Arc<Self>| Arc::new(child.without_places());
        let list = |list: &[Self]| list.iter().map(Self::without_places).collect::<Vec<_>>();
        let mut schema = Self {
            properties: self
                .properties
                .iter()
                .map(|(name, property)| (name.clone(), child(property)))
                .collect(),
            additional_properties: self.additional_properties.as_ref().map(child),
            items: self.items.as_ref().map(child),
            any_of: list(&self.any_of).into(),
            one_of: list(&self.one_of).into(),
            not: self.not.as_ref().map(child),
            places: Places::default(),
            title: self.title.clone(),
            description: self.description.clone(),
            external_documentation: self.external_documentation.clone(),
            default: self.default.clone(),
            example: self.example.clone(),
            required: self.required.clone(),
            list_map_keys: self.list_map_keys.clone(),
            constraints: self.constraints.clone(),
            switched_off: self.switched_off.clone(),
            descriptors: Sparse::default(),
            ..*self
        };
        if !schema.constraints.is_unset() {
            schema.constraints.all_of = list(&self.constraints.all_of);
            for rule in &mut schema.constraints.rules {
                *rule = rule.without_places();
            }
        }
        schema
    }

    /// Returns a schema with only a type.
    #[must_use]
    pub fn of_type(json_type: JsonType) -> Self {
        Self {
            json_type: Some(json_type),
            ..Self::default()
        }
    }

    /// Returns the schema of an integer of 32 or 64 bits.
    #[must_use]
    pub fn integer(format: &'static str) -> Self {
        Self {
            implied_format: Some(format),
            ..Self::of_type(JsonType::Integer)
        }
    }

    /// Returns the schema of a list of `items`.
    #[must_use]
    pub fn array_of(items: Schema) -> Self {
        Self {
            items: Some(Arc::new(items)),
            ..Self::of_type(JsonType::Array)
        }
    }

    /// Returns the schema of a map from strings to `values`.
    #[must_use]
    pub fn map_of(values: Schema) -> Self {
        Self {
            additional_properties: Some(Arc::new(values)),
            ..Self::of_type(JsonType::Object)
        }
    }

    /// Returns the schema of a string with a format that Kubernetes knows.
    #[must_use]
    pub fn string_format(format: &str) -> Self {
        let constraints = Constraints {
            format: Some(format.to_owned()),
            ..Constraints::default()
        };
        Self {
            constraints: constraints.into(),
            ..Self::of_type(JsonType::String)
        }
    }

    /// Returns the schema of an integer or a string.
    #[must_use]
    pub fn int_or_string() -> Self {
        Self {
            any_of: vec![Self::of_type(JsonType::Integer), Self::of_type(JsonType::String)].into(),
            int_or_string: true,
            ..Self::default()
        }
    }

    /// Returns the schema of any JSON value.
    #[must_use]
    pub fn anything() -> Self {
        Self {
            preserve_unknown_fields: true,
            ..Self::default()
        }
    }

    /// Returns the format in force.
    #[must_use]
    pub fn format(&self) -> Option<&str> {
        self.constraints.format.as_deref().or(self.implied_format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_count_each_time() {
        let mut schema = Arc::new(Schema::of_type(JsonType::Integer));
        for level in 0..80 {
            assert_eq!(schema.is_too_large(), level > 17, "{level}");
            let mut outer = Schema::of_type(JsonType::Object);
            outer.properties.insert("left".to_owned(), Arc::clone(&schema));
            outer.properties.insert("right".to_owned(), schema);
            schema = Arc::new(outer);
        }
    }

    #[test]
    fn every_part_counts() {
        let half = Schema::LARGEST / 2;
        let list = |parts: usize| {
            let mut schema = Schema::default();
            let properties = (0..parts).map(|part| (part.to_string(), Arc::new(Schema::default())));
            schema.properties.extend(properties);
            schema
        };
        let mut schema = Schema::array_of(list(half - 2));
        schema.any_of = vec![list(half - 2)].into();
        assert!(!schema.is_too_large());
        schema.not = Some(Arc::new(Schema::default()));
        schema.additional_properties = Some(Arc::new(Schema::default()));
        assert!(schema.is_too_large());
    }
}
