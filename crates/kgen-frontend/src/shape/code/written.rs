//! Values from code: JSON that contains schemas of types.

use kgen_model::Schema;
use serde_json::{Map, Value};

/// A value that was read from code.
#[derive(Clone, Debug)]
pub(in crate::shape) enum Written {
    /// Null, a boolean, a number or a text.
    Scalar(Value),
    List(Vec<Written>),
    Object(Vec<(String, Written)>),
    /// The schema of a type.
    Schema(Box<Schema>),
}

impl Written {
    pub(in crate::shape) fn null() -> Self {
        Self::Scalar(Value::Null)
    }

    pub(in crate::shape) fn is_null(&self) -> bool {
        matches!(self, Self::Scalar(Value::Null))
    }

    pub(in crate::shape) fn of_text(text: impl Into<String>) -> Self {
        Self::Scalar(Value::String(text.into()))
    }

    pub(in crate::shape) fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    pub(in crate::shape) fn boolean(&self) -> Option<bool> {
        match self {
            Self::Scalar(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    pub(in crate::shape) fn list(&self) -> Option<&[Written]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the entries of an object, also where it is written as a list of pairs.
    pub(in crate::shape) fn entries(&self) -> Option<Vec<(String, Written)>> {
        match self {
            Self::Object(entries) => Some(entries.clone()),
            Self::List(list) => list
                .iter()
                .map(|entry| match entry.list()? {
                    [key, value] => Some((key.text()?.to_owned(), value.clone())),
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    }

    /// Returns the same as plain JSON; `None` if it contains a schema.
    pub(in crate::shape) fn to_json(&self) -> Option<Value> {
        Some(match self {
            Self::Scalar(value) => value.clone(),
            Self::List(list) => list.iter().map(Self::to_json).collect::<Option<Vec<_>>>()?.into(),
            Self::Object(entries) => {
                let mut map = Map::new();
                for (key, value) in entries {
                    map.insert(key.clone(), value.to_json()?);
                }
                Value::Object(map)
            }
            Self::Schema(_) => return None,
        })
    }

    pub(in crate::shape) fn from_json(value: &Value) -> Self {
        match value {
            Value::Array(list) => Self::List(list.iter().map(Self::from_json).collect()),
            Value::Object(map) => Self::Object(
                map.iter()
                    .map(|(key, value)| (key.clone(), Self::from_json(value)))
                    .collect(),
            ),
            scalar => Self::Scalar(scalar.clone()),
        }
    }
}
