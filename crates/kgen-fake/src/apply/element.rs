//! One step of a path: a field, an item of a list by its keys, by its value or by its index.
//!
//! Elements have a total order, in which sets are sorted, and a name, which is the key in `fieldsV1`: `f:size`,
//! `k:{"port":80}`, `v:"a"` or `i:0`.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde_json::{Number, Value};

use super::value;

/// One step of a path.
#[derive(Clone, Debug)]
pub enum Element {
    /// A field of a struct, or an entry of a map.
    Field(Arc<str>),
    /// The item of a list whose fields have these values, sorted by the name of the field.
    Key(Arc<[(String, Value)]>),
    /// The item of a set that has this value.
    Value(Arc<Value>),
    /// The item of a list at this index.
    Index(i64),
}

/// A name in `fieldsV1` that is not an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotAnElement {
    /// A kind of element that only later versions know. It is ignored.
    Unknown,
    /// The name is malformed.
    Malformed(String),
}

impl Element {
    /// Returns the element of a field.
    pub fn field(name: &str) -> Self {
        Self::Field(name.into())
    }

    /// Returns the element of a list item with these keys.
    pub(crate) fn key(mut fields: Vec<(String, Value)>) -> Self {
        fields.sort_by(|left, right| left.0.cmp(&right.0));
        Self::Key(fields.into())
    }

    /// Reads the name of an element in `fieldsV1`.
    pub(crate) fn read(name: &str) -> Result<Self, NotAnElement> {
        let malformed = |reason: &dyn fmt::Display| NotAnElement::Malformed(reason.to_string());
        if let Some(field) = name.strip_prefix("f:") {
            return Ok(Self::field(field));
        }
        match name.split_at_checked(2) {
            None => Err(malformed(&"key must be 2 characters long:")),
            Some(("k:", text)) => match serde_json::from_str(text) {
                Ok(Value::Object(fields)) => {
                    let read = fields.into_iter().map(|(name, value)| (name, as_floats(value)));
                    Ok(Self::key(read.collect()))
                }
                Ok(_) => Err(malformed(&"expect { or n")),
                Err(error) => Err(malformed(&error)),
            },
            Some(("v:", text)) => match serde_json::from_str(text) {
                Ok(value) => Ok(Self::Value(Arc::new(as_floats(value)))),
                Err(error) => Err(malformed(&error)),
            },
            Some(("i:", text)) => text.parse().map(Self::Index).map_err(|error| malformed(&error)),
            Some((kind, _)) if kind.ends_with(':') => Err(NotAnElement::Unknown),
            Some(_) => Err(malformed(&format_args!("missing colon: {name}"))),
        }
    }

    /// Returns the name of the element in `fieldsV1`.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Field(name) => {
                let mut text = String::with_capacity(name.len() + 2);
                text.push_str("f:");
                text.push_str(name);
                text
            }
            Self::Key(fields) => {
                let mut text = String::from("k:{");
                for (index, (name, field)) in fields.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    text.push_str(&value::written(&Value::from(name.as_str())));
                    text.push(':');
                    text.push_str(&value::written(field));
                }
                text.push('}');
                text
            }
            Self::Value(item) => format!("v:{}", value::written(item)),
            Self::Index(index) => format!("i:{index}"),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Field(_) => 0,
            Self::Key(_) => 1,
            Self::Value(_) => 2,
            Self::Index(_) => 3,
        }
    }
}

/// Turns integers into floating-point numbers: the API server reads the numbers in names of elements as such, and shows
/// them as such in messages.
fn as_floats(value: Value) -> Value {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().and_then(Number::from_f64);
            Value::Number(float.unwrap_or(number))
        }
        Value::Array(items) => items.into_iter().map(as_floats).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            Value::Object(fields.map(|(name, value)| (name, as_floats(value))).collect())
        }
        value => value,
    }
}

impl Ord for Element {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Field(left), Self::Field(right)) => left.as_bytes().cmp(right.as_bytes()),
            (Self::Key(left), Self::Key(right)) => {
                for (left, right) in left.iter().zip(right.iter()) {
                    let order = left.0.cmp(&right.0);
                    let order = order.then_with(|| value::order(&left.1, &right.1));
                    if order.is_ne() {
                        return order;
                    }
                }
                left.len().cmp(&right.len())
            }
            (Self::Value(left), Self::Value(right)) => value::order(left, right),
            (Self::Index(left), Self::Index(right)) => left.cmp(right),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Element {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Element {}

impl fmt::Display for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(formatter, ".{name}"),
            Self::Key(fields) => {
                let fields = fields.iter();
                let fields: Vec<_> = fields
                    .map(|(name, field)| format!("{name}={}", value::printed(field)))
                    .collect();
                write!(formatter, "[{}]", fields.join(","))
            }
            Self::Value(item) => write!(formatter, "[={}]", value::printed(item)),
            Self::Index(index) => write!(formatter, "[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Element, NotAnElement};

    #[test]
    fn names_are_read_and_written() {
        for name in [
            "f:size",
            "f:",
            r#"k:{"port":80,"protocol":"TCP"}"#,
            r#"v:"a""#,
            r#"v:"\u003c\"""#,
            "v:1.5",
            "v:true",
            "i:3",
        ] {
            assert_eq!(
                Element::read(name).map(|element| element.name()),
                Ok(name.to_owned())
            );
        }
        assert_eq!(Element::read("z:a"), Err(NotAnElement::Unknown));
        assert!(matches!(Element::read("f"), Err(NotAnElement::Malformed(_))));
        assert!(matches!(Element::read("k:{"), Err(NotAnElement::Malformed(_))));
    }

    #[test]
    fn elements_are_shown_as_the_server_shows_them() {
        let shown = |name: &str| Element::read(name).unwrap().to_string();
        assert_eq!(shown("f:size"), ".size");
        assert_eq!(
            shown(r#"k:{"port":80,"protocol":"TCP"}"#),
            r#"[port=80,protocol="TCP"]"#
        );
        assert_eq!(shown("v:12345678"), "[=1.2345678e+07]");
    }

    #[test]
    fn the_order_is_fields_keys_values_indexes() {
        let mut elements = ["i:0", "v:10", "v:9", r#"v:"a""#, r#"k:{"a":1}"#, "f:b", "f:a"]
            .map(|name| Element::read(name).unwrap());
        elements.sort();
        assert_eq!(
            elements.map(|element| element.name()),
            ["f:a", "f:b", r#"k:{"a":1}"#, "v:9", "v:10", r#"v:"a""#, "i:0"]
        );
    }
}
