//! What a schema is to a rule: its type, how large its values can be, and how small.
//!
//! Mirrors `SchemaDeclType` of the API server. Nothing is built ahead: a rule asks for the few fields that it reads, while
//! the schema may be that of a whole pod.

use kgen_model::{JsonType, Schema};

use super::types::Type;

/// The largest request that an API server takes, in bytes.
const MOST_BYTES: i64 = 3 * 1024 * 1024;
/// The longest name of an object.
const LONGEST_NAME: i64 = 253;
/// How long durations and times can be as text, with quotes.
const LONGEST_TIME: i64 = 32;
/// How long a date is as text, with quotes.
const DATE: i64 = 12;

/// Words of CEL, which are written between underscores where a field has such a name.
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
pub(super) enum Declared<'a> {
    /// A value of a schema.
    Value(&'a Schema),
    /// The whole object. Its type and metadata are not those of the schema: the definition writes its own.
    Root(&'a Schema),
    /// A whole object within another one, which has its type and metadata as well.
    Resource(&'a Schema),
    /// The metadata of an object, of which only two names can be read.
    Metadata(Option<&'a Schema>),
    /// A text with this many characters at most, or with no limit.
    Text(Option<i64>),
}

/// What sort of value it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sort<'a> {
    /// A value without parts that rules could name.
    Simple(Type),
    List(Declared<'a>),
    Map(Declared<'a>),
    Object,
}

impl<'a> Declared<'a> {
    /// The value of a schema; nothing if rules cannot see it, because its type is not known.
    pub(super) fn of(schema: &'a Schema, is_root: bool) -> Option<Self> {
        is_visible(schema).then_some(if is_root {
            Self::Root(schema)
        } else if schema.embedded_resource {
            Self::Resource(schema)
        } else {
            Self::Value(schema)
        })
    }

    /// The schema that says so, if there is one.
    pub(super) fn schema(self) -> Option<&'a Schema> {
        match self {
            Self::Value(schema) | Self::Root(schema) | Self::Resource(schema) => Some(schema),
            Self::Metadata(_) | Self::Text(_) => None,
        }
    }

    pub(super) fn sort(self) -> Sort<'a> {
        let schema = match self {
            Self::Text(_) => return Sort::Simple(Type::Text),
            Self::Metadata(_) => return Sort::Object,
            Self::Value(schema) | Self::Root(schema) | Self::Resource(schema) => schema,
        };
        if schema.int_or_string {
            return Sort::Simple(Type::Dyn);
        }
        Sort::Simple(match schema.json_type {
            Some(JsonType::Array) => {
                return part(schema.items.as_deref()).map_or(Sort::Simple(Type::Dyn), Sort::List);
            }
            Some(JsonType::Object) => {
                return part(schema.additional_properties.as_deref()).map_or(Sort::Object, Sort::Map);
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

    /// The field of an object, by its name in rules.
    pub(super) fn field(self, name: &str) -> Option<Declared<'a>> {
        match self {
            Self::Text(_) => None,
            Self::Metadata(schema) => {
                // What is generated has at least one more character.
                let longest = match name {
                    "name" => LONGEST_NAME,
                    "generateName" => LONGEST_NAME - 1,
                    _ => return None,
                };
                let stated = schema
                    .and_then(|schema| schema.properties.get(name))
                    .and_then(|property| property.constraints.max_length);
                Some(Self::Text(Some(
                    stated.map_or(longest, |stated| stated.min(longest)),
                )))
            }
            Self::Root(schema) | Self::Resource(schema) if !self.states_metadata() => match name {
                "apiVersion" | "kind" => Some(Self::Text(None)),
                "metadata" => Some(Self::Metadata(match self {
                    Self::Resource(schema) => schema.properties.get("metadata").map(AsRef::as_ref),
                    _ => None,
                })),
                _ => property(schema, name),
            },
            Self::Root(schema) | Self::Resource(schema) | Self::Value(schema) => property(schema, name),
        }
    }

    /// Whether the schema of an object says itself what its type and metadata are.
    fn states_metadata(self) -> bool {
        let Self::Resource(schema) = self else {
            return false;
        };
        let is = |schema: &Schema, name: &str, json_type| {
            schema
                .properties
                .get(name)
                .is_some_and(|property| property.json_type == Some(json_type))
        };
        is(schema, "kind", JsonType::String)
            && is(schema, "apiVersion", JsonType::String)
            && is(schema, "metadata", JsonType::Object)
            && schema.properties.get("metadata").is_some_and(|metadata| {
                is(metadata, "name", JsonType::String) && is(metadata, "generateName", JsonType::String)
            })
    }

    /// The names of all fields of an object, as rules write them.
    pub(super) fn field_names(self) -> Vec<String> {
        let mut names: Vec<String> = match self {
            Self::Text(_) => Vec::new(),
            Self::Metadata(_) => vec!["generateName".to_owned(), "name".to_owned()],
            Self::Root(schema) | Self::Resource(schema) | Self::Value(schema) => schema
                .properties
                .iter()
                .filter(|(_, property)| is_visible(property))
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

    /// Whether there is such a field, of a type that rules cannot read.
    pub(super) fn hides(self, field: &str) -> bool {
        match self {
            Self::Text(_) | Self::Metadata(_) => false,
            Self::Root(schema) | Self::Resource(schema) | Self::Value(schema) => schema
                .properties
                .iter()
                .any(|(name, property)| escaped(name).as_deref() == Some(field) && !is_visible(property)),
        }
    }

    /// How many characters, bytes, items or entries it can have.
    pub(super) fn most_elements(self) -> i64 {
        let schema = match self {
            Self::Text(limit) => return limit.map_or(MOST_BYTES - 2, in_bytes),
            Self::Metadata(_) => return 0,
            Self::Value(schema) | Self::Root(schema) | Self::Resource(schema) => schema,
        };
        let limits = &schema.constraints;
        if schema.int_or_string {
            return limits.max_length.map_or(MOST_BYTES - 2, in_bytes);
        }
        match self.sort() {
            Sort::List(item) => limits.max_items.map_or_else(
                || (MOST_BYTES - 2) / (item.least_bytes().saturating_add(1)),
                |most| most.max(0),
            ),
            Sort::Map(value) => limits.max_properties.map_or_else(
                || (MOST_BYTES - 2) / (value.least_bytes().saturating_add(6)),
                |most| most.max(0),
            ),
            Sort::Simple(Type::Text) => match (limits.max_length, &limits.enumeration) {
                (Some(most), _) => in_bytes(most),
                (None, Some(values)) if !values.is_empty() => values
                    .iter()
                    .filter_map(|value| value.as_str())
                    .map(|value| i64::try_from(value.len()).unwrap_or(i64::MAX))
                    .max()
                    .unwrap_or_default(),
                (None, _) => MOST_BYTES - 2,
            },
            Sort::Simple(Type::Bytes) => limits.max_length.map_or(MOST_BYTES - 2, |most| most.max(0)),
            Sort::Simple(Type::Timestamp) if schema.format() == Some("date") => DATE,
            Sort::Simple(Type::Timestamp | Type::Duration) => LONGEST_TIME,
            Sort::Simple(_) | Sort::Object => 0,
        }
    }

    /// How many bytes it takes at least in a request.
    pub(super) fn least_bytes(self) -> i64 {
        match self.sort() {
            Sort::List(_) | Sort::Map(_) | Sort::Simple(Type::Text | Type::Bytes) => 2,
            Sort::Simple(Type::Bool) => 4,
            Sort::Simple(Type::Duration) => 3,
            Sort::Simple(Type::Timestamp) => match self.schema().and_then(Schema::format) {
                Some("date") => DATE,
                _ => 21,
            },
            Sort::Simple(_) => 1,
            Sort::Object => self
                .schema()
                .map_or(2, |schema| required_bytes(schema).saturating_add(2)),
        }
    }
}

/// What the properties take that an object must have. Those with a default need not be written.
fn required_bytes(schema: &Schema) -> i64 {
    let required = schema.required.iter().filter_map(|name| {
        let property = schema.properties.get(name)?;
        let is_stated = property.default.as_ref().is_none_or(serde_json::Value::is_null);
        let declared = Declared::of(property, false).filter(|_| is_stated)?;
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

/// Whether rules can see a value at all.
fn is_visible(schema: &Schema) -> bool {
    schema.int_or_string
        || match schema.json_type {
            Some(JsonType::Array) => schema.items.as_deref().is_some_and(is_visible),
            Some(JsonType::Object) => schema.additional_properties.as_deref().is_none_or(is_visible),
            other => other.is_some(),
        }
}

fn part(schema: Option<&Schema>) -> Option<Declared<'_>> {
    schema.and_then(|schema| Declared::of(schema, false))
}

fn property<'a>(schema: &'a Schema, name: &str) -> Option<Declared<'a>> {
    let found = match schema.properties.get(name) {
        Some(property) if escaped(name).is_some_and(|escaped| escaped == name) => Some(property),
        _ => schema
            .properties
            .iter()
            .find(|(known, _)| escaped(known).is_some_and(|escaped| escaped == name))
            .map(|(_, property)| property),
    };
    part(found.map(AsRef::as_ref))
}

/// Characters can take four bytes each.
fn in_bytes(characters: i64) -> i64 {
    characters.max(0).wrapping_mul(4)
}

/// A word of CEL as the name of a field. Rules can write it so, but need not.
pub(super) fn escaped_word(name: &str) -> Option<String> {
    WORDS.contains(&name).then(|| format!("__{name}__"))
}

/// How a rule writes the name of a field; nothing if it cannot.
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
