//! The type that a rule sees for a schema, and how large and how small the values of the schema can be.
//!
//! Mirrors `SchemaDeclType` of the API server. No types are built in advance: a rule asks for the few fields that it
//! reads, while the schema may describe a whole pod.

use crate::limits::REQUEST_BYTES;
use crate::schema::{JsonType, Schema};
use crate::types::Type;

/// The longest name of an object.
const LONGEST_NAME: i64 = 253;
/// The length of the longest duration or time as JSON, with quotes.
const LONGEST_TIME: i64 = 32;
/// The length of a date as JSON, with quotes.
const DATE: i64 = 12;

/// Reserved words of CEL. A rule writes a field with such a name between underscores.
const WORDS: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// A value as rules see it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Declared<S> {
    /// A value of a schema.
    Value(S),
    /// The whole object. Its type and metadata do not come from the schema: the CRD adds its own.
    Root(S),
    /// A whole object within another one, which also has its own type and metadata.
    Resource(S),
    /// The metadata of an object. Rules can read only two of its fields.
    Metadata(Option<S>),
    /// A string with at most this many characters, or without a limit.
    Text(Option<i64>),
}

/// The structure of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<S> {
    /// A value without parts that rules could name.
    Simple(Type),
    List(Declared<S>),
    Map(Declared<S>),
    Object,
}

impl<S: Schema> Declared<S> {
    /// Returns the value of a schema, or `None` if its type is not known, so that rules cannot see it.
    pub(super) fn of(schema: S, is_root: bool) -> Option<Self> {
        is_visible(schema).then_some(if is_root {
            Self::Root(schema)
        } else if schema.is_embedded_resource() {
            Self::Resource(schema)
        } else {
            Self::Value(schema)
        })
    }

    /// Returns the schema of the value, if it has one.
    pub(super) fn schema(self) -> Option<S> {
        match self {
            Self::Value(schema) | Self::Root(schema) | Self::Resource(schema) => Some(schema),
            Self::Metadata(_) | Self::Text(_) => None,
        }
    }

    pub(super) fn shape(self) -> Shape<S> {
        let schema = match self {
            Self::Text(_) => return Shape::Simple(Type::Text),
            Self::Metadata(_) => return Shape::Object,
            Self::Value(schema) | Self::Root(schema) | Self::Resource(schema) => schema,
        };
        if schema.is_int_or_string() {
            return Shape::Simple(Type::Dyn);
        }
        Shape::Simple(match schema.json_type() {
            Some(JsonType::Array) => {
                return part(schema.items()).map_or(Shape::Simple(Type::Dyn), Shape::List);
            }
            Some(JsonType::Object) => {
                return part(schema.additional_properties()).map_or(Shape::Object, Shape::Map);
            }
            Some(JsonType::String) => match schema.format() {
                Some("byte") => Type::Bytes,
                Some("duration") => Type::Duration,
                Some("date" | "date-time") => Type::Timestamp,
                _ => Type::Text,
            },
            Some(JsonType::Boolean) => Type::Bool,
            Some(JsonType::Number) => Type::Double,
            Some(JsonType::Integer) => Type::Int,
            None => Type::Dyn,
        })
    }

    /// Returns the field of an object, by its name in rules.
    pub(super) fn field(self, name: &str) -> Option<Declared<S>> {
        match self {
            Self::Text(_) => None,
            Self::Metadata(schema) => {
                // The server appends at least one character to this name.
                let longest = match name {
                    "name" => LONGEST_NAME,
                    "generateName" => LONGEST_NAME - 1,
                    _ => return None,
                };
                let stated = schema
                    .and_then(|schema| schema.property(name))
                    .and_then(|property| property.max_length());
                Some(Self::Text(Some(
                    stated.map_or(longest, |stated| stated.min(longest)),
                )))
            }
            Self::Root(schema) | Self::Resource(schema) if !self.states_metadata() => match name {
                "apiVersion" | "kind" => Some(Self::Text(None)),
                "metadata" => Some(Self::Metadata(match self {
                    Self::Resource(schema) => schema.property("metadata"),
                    _ => None,
                })),
                _ => property(schema, name),
            },
            Self::Root(schema) | Self::Resource(schema) | Self::Value(schema) => property(schema, name),
        }
    }

    /// Returns whether the schema of an object declares its type and metadata itself.
    fn states_metadata(self) -> bool {
        let Self::Resource(schema) = self else {
            return false;
        };
        let is = |schema: S, name: &str, json_type| {
            let property = schema.property(name);
            property.is_some_and(|property| property.json_type() == Some(json_type))
        };
        is(schema, "kind", JsonType::String)
            && is(schema, "apiVersion", JsonType::String)
            && is(schema, "metadata", JsonType::Object)
            && schema.property("metadata").is_some_and(|metadata| {
                is(metadata, "name", JsonType::String) && is(metadata, "generateName", JsonType::String)
            })
    }

    /// Returns the names of all fields of an object, as rules write them.
    pub(super) fn field_names(self) -> Vec<String> {
        let mut names: Vec<String> = match self {
            Self::Text(_) => Vec::new(),
            Self::Metadata(_) => vec!["generateName".to_owned(), "name".to_owned()],
            Self::Root(schema) | Self::Resource(schema) | Self::Value(schema) => schema
                .properties()
                .filter(|(_, property)| is_visible(*property))
                .filter_map(|(name, _)| escaped(name))
                .collect(),
        };
        if matches!(self, Self::Root(_) | Self::Resource(_)) {
            names.extend(["apiVersion", "kind", "metadata"].map(str::to_owned));
            names.sort_unstable();
            names.dedup();
        }
        names
    }

    /// Returns whether the field exists, but has a type that rules cannot read.
    pub(super) fn hides(self, field: &str) -> bool {
        match self {
            Self::Text(_) | Self::Metadata(_) => false,
            Self::Root(schema) | Self::Resource(schema) | Self::Value(schema) => schema
                .properties()
                .any(|(name, property)| escaped(name).as_deref() == Some(field) && !is_visible(property)),
        }
    }

    /// Returns the most characters, bytes, items or entries that the value can have.
    pub(super) fn most_elements(self) -> i64 {
        let schema = match self {
            Self::Text(limit) => return limit.map_or(REQUEST_BYTES - 2, in_bytes),
            Self::Metadata(_) => return 0,
            Self::Value(schema) | Self::Root(schema) | Self::Resource(schema) => schema,
        };
        if schema.is_int_or_string() {
            return schema.max_length().map_or(REQUEST_BYTES - 2, in_bytes);
        }
        match self.shape() {
            Shape::List(item) => schema.max_items().map_or_else(
                || (REQUEST_BYTES - 2) / (item.least_bytes().saturating_add(1)),
                |most| most.max(0),
            ),
            Shape::Map(value) => schema.max_properties().map_or_else(
                || (REQUEST_BYTES - 2) / (value.least_bytes().saturating_add(6)),
                |most| most.max(0),
            ),
            Shape::Simple(Type::Text) => match (schema.max_length(), schema.longest_enum_value()) {
                (Some(most), _) => in_bytes(most),
                (None, Some(longest)) => i64::try_from(longest).unwrap_or(i64::MAX),
                (None, None) => REQUEST_BYTES - 2,
            },
            Shape::Simple(Type::Bytes) => schema.max_length().map_or(REQUEST_BYTES - 2, |most| most.max(0)),
            Shape::Simple(Type::Timestamp) if schema.format() == Some("date") => DATE,
            Shape::Simple(Type::Timestamp | Type::Duration) => LONGEST_TIME,
            Shape::Simple(_) | Shape::Object => 0,
        }
    }

    /// Returns the fewest bytes that the value takes in a request.
    pub(super) fn least_bytes(self) -> i64 {
        match self.shape() {
            Shape::List(_) | Shape::Map(_) | Shape::Simple(Type::Text | Type::Bytes) => 2,
            Shape::Simple(Type::Bool) => 4,
            Shape::Simple(Type::Duration) => 3,
            Shape::Simple(Type::Timestamp) => match self.schema() {
                Some(schema) if schema.format() == Some("date") => DATE,
                _ => 21,
            },
            Shape::Simple(_) => 1,
            Shape::Object => self
                .schema()
                .map_or(2, |schema| required_bytes(schema).saturating_add(2)),
        }
    }
}

/// Returns the fewest bytes that the required properties take. Properties with a default can be absent from the request.
fn required_bytes<S: Schema>(schema: S) -> i64 {
    let required = schema.required().filter_map(|name| {
        let property = schema.property(name)?;
        let declared = Declared::of(property, false).filter(|_| !property.has_default())?;
        let name_bytes = i64::try_from(name.len()).unwrap_or(i64::MAX);
        Some(
            declared
                .least_bytes()
                .saturating_add(name_bytes)
                .saturating_add(4),
        )
    });
    required.fold(0, i64::saturating_add)
}

/// Returns whether rules can read a value at all.
fn is_visible<S: Schema>(schema: S) -> bool {
    schema.is_int_or_string()
        || match schema.json_type() {
            Some(JsonType::Array) => schema.items().is_some_and(is_visible),
            Some(JsonType::Object) => schema.additional_properties().is_none_or(is_visible),
            other => other.is_some(),
        }
}

fn part<S: Schema>(schema: Option<S>) -> Option<Declared<S>> {
    schema.and_then(|schema| Declared::of(schema, false))
}

fn property<S: Schema>(schema: S, name: &str) -> Option<Declared<S>> {
    let found = match schema.property(name) {
        Some(property) if escaped(name).is_some_and(|escaped| escaped == name) => Some(property),
        _ => schema
            .properties()
            .find(|(known, _)| escaped(known).is_some_and(|escaped| escaped == name))
            .map(|(_, property)| property),
    };
    part(found)
}

/// Converts characters to bytes, of which each can take four.
fn in_bytes(characters: i64) -> i64 {
    characters.max(0).wrapping_mul(4)
}

/// Escapes a reserved word that is the name of a field. Rules can also write it without the escape.
pub(super) fn escaped_word(name: &str) -> Option<String> {
    WORDS.contains(&name).then(|| format!("__{name}__"))
}

/// Returns the name of a field in rules, or `None` if rules cannot refer to it.
pub(super) fn escaped(name: &str) -> Option<String> {
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if let Some(word) = escaped_word(name) {
        return Some(word);
    }
    let is_known = |letter: char| letter.is_ascii_alphanumeric() || "_.-/".contains(letter);
    name.chars().all(is_known).then(|| {
        name.replace("__", "__underscores__")
            .replace('.', "__dot__")
            .replace('-', "__dash__")
            .replace('/', "__slash__")
    })
}
