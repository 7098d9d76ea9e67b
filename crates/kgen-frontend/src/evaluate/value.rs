//! Values of Rust expressions.

use kgen_diagnostics::Span;
use kgen_model::Schema;

use super::Unknown;
use super::float::Float;
use crate::program::TypeId;

/// A value of a Rust expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Unit,
    Boolean(bool),
    Integer(i128),
    Float(Float),
    Character(char),
    /// A `String` or a `str`.
    Text(String),
    /// `None` is null as well.
    Option(Option<Box<Value>>),
    Result(Result<Box<Value>, Box<Value>>),
    /// A vector, an array, a slice, a set or an iterator.
    List(Vec<Value>),
    Tuple(Vec<Value>),
    /// A map, or an object of JSON.
    Map(Vec<(String, Value)>),
    /// A struct or a variant that the program declares.
    Instance(Box<Instance>),
    /// A value of a type of another crate, by the name of the type.
    Foreign(Box<Foreign>),
    /// The schema of a type.
    Schema(Box<Schema>),
    /// A value whose type is decided where it is used.
    Pending(Box<Pending>),
    /// An argument that cannot be evaluated. The function may ignore it, but not use it.
    Absent(Box<Unknown>),
}

/// A struct or a variant that the program declares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Instance {
    pub(crate) id: TypeId,
    /// The variant of an enum.
    pub(crate) variant: Option<String>,
    /// The fields by their Rust names; those of tuples are called `0`, `1`, …
    pub(crate) fields: Vec<(String, Value)>,
    /// The expression that made it.
    pub(crate) span: Span,
}

/// A value of a type of another crate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foreign {
    /// The last name of the type or variant.
    pub(crate) name: String,
    pub(crate) fields: Vec<(String, Value)>,
}

/// A value whose type is decided where it is used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pending {
    /// `Default::default()`.
    Default,
    /// `value.into()`.
    Into(Value),
    /// `list.collect()`.
    Collect(Vec<Value>),
}

impl Value {
    pub(super) fn text_of(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns the value of a JSON document. Returns `None` if a number does not have an exact value here.
    pub(super) fn of_json(json: &serde_json::Value) -> Option<Self> {
        use serde_json::Value as Json;
        Some(match json {
            Json::Null => Self::none(),
            Json::Bool(value) => Self::Boolean(*value),
            Json::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => Self::Integer(number.into()),
                (None, Some(number)) => Self::Integer(number.into()),
                (None, None) => Self::Float(Float::Double(number.as_f64()?)),
            },
            Json::String(text) => Self::text_of(text),
            Json::Array(list) => Self::List(list.iter().map(Self::of_json).collect::<Option<_>>()?),
            Json::Object(entries) => Self::Map(
                entries
                    .iter()
                    .map(|(key, value)| Some((key.clone(), Self::of_json(value)?)))
                    .collect::<Option<_>>()?,
            ),
        })
    }

    pub(super) fn some(value: Self) -> Self {
        Self::Option(Some(Box::new(value)))
    }

    pub(super) fn none() -> Self {
        Self::Option(None)
    }

    pub(super) fn ok(value: Self) -> Self {
        Self::Result(Ok(Box::new(value)))
    }

    pub(super) fn pending(pending: Pending) -> Self {
        Self::Pending(Box::new(pending))
    }

    pub(super) fn foreign(name: &str, fields: Vec<(String, Self)>) -> Self {
        Self::Foreign(Box::new(Foreign {
            name: name.to_owned(),
            fields,
        }))
    }

    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Self::Option(None))
    }

    /// Returns the value inside `value.into()` or `From::from(value)`.
    pub(crate) fn converted(&self) -> Option<&Self> {
        match self {
            Self::Pending(pending) => match pending.as_ref() {
                Pending::Into(inner) => Some(inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the text of a string, also behind a conversion that does not change it.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Option(Some(inner)) => inner.text(),
            Self::Pending(pending) => match pending.as_ref() {
                Pending::Into(inner) => inner.text(),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        match self {
            Self::Boolean(value) => Some(*value),
            Self::Option(Some(inner)) => inner.boolean(),
            _ => None,
        }
    }

    /// Returns the elements of a list, also of one that is being collected.
    pub(crate) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(list) => Some(list),
            Self::Pending(pending) => match pending.as_ref() {
                Pending::Collect(list) => Some(list),
                Pending::Into(inner) => inner.list(),
                Pending::Default => None,
            },
            _ => None,
        }
    }

    /// Returns the key of a JSON object that a value becomes.
    pub(super) fn key(&self) -> Option<String> {
        match self {
            Self::Integer(number) => Some(number.to_string()),
            Self::Boolean(value) => Some(value.to_string()),
            Self::Character(character) => Some(character.to_string()),
            other => other.text().map(str::to_owned),
        }
    }

    /// Returns the number of parts, which bounds the work of copying it.
    pub(super) fn size(&self) -> usize {
        let all = |values: &mut dyn Iterator<Item = &Self>| values.map(Self::size).sum::<usize>();
        1 + match self {
            Self::Text(text) => text.len() / 16,
            Self::Option(Some(inner)) | Self::Result(Ok(inner) | Err(inner)) => inner.size(),
            Self::List(list) | Self::Tuple(list) => all(&mut list.iter()),
            Self::Map(entries) => all(&mut entries.iter().map(|(_, value)| value)),
            Self::Instance(instance) => all(&mut instance.fields.iter().map(|(_, value)| value)),
            Self::Foreign(foreign) => all(&mut foreign.fields.iter().map(|(_, value)| value)),
            Self::Pending(pending) => match pending.as_ref() {
                Pending::Default => 0,
                Pending::Into(inner) => inner.size(),
                Pending::Collect(list) => all(&mut list.iter()),
            },
            Self::Schema(_) => 64,
            _ => 0,
        }
    }

    /// Returns whether it consists of plain data alone, which `==` compares part by part.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Unit
            | Self::Boolean(_)
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Character(_)
            | Self::Text(_)
            | Self::Option(None) => true,
            Self::Option(Some(inner)) => inner.is_plain(),
            Self::List(list) | Self::Tuple(list) => list.iter().all(Self::is_plain),
            _ => false,
        }
    }
}

/// Sets an entry; the last value counts.
pub(super) fn set_entry(entries: &mut Vec<(String, Value)>, key: &str, value: Value) {
    match entries.iter_mut().find(|(known, _)| known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key.to_owned(), value)),
    }
}
