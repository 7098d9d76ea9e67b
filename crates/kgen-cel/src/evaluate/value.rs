//! The values of CEL, their conversion from JSON, and their comparison.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::declared::{Declared, Shape, escaped};
use crate::go_time::{Timestamp, parse_loose_duration};
use crate::schema::Schema;
use crate::types::Type;

use super::extension::Extension;
use super::list::{List, Order};
use super::meter::Meter;
use super::{EvaluateError, Outcome, no_such_overload};

/// A value of CEL. Copies share their parts.
///
/// `==` compares the structure; CEL's own equality also compares numbers of different types by their value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A floating-point number.
    Double(f64),
    /// A string.
    String(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A list.
    List(Arc<List>),
    /// A map, as pairs of keys and values.
    Map(Arc<Vec<(Value, Value)>>),
    /// An object of the schema: the fields that rules can read, by their names in rules.
    Object(Arc<BTreeMap<String, Value>>),
    /// An optional value.
    Optional(Option<Arc<Value>>),
    /// A type, by its name in CEL.
    Type(&'static str),
    /// A point in time.
    Timestamp(Timestamp),
    /// A duration in nanoseconds.
    Duration(i64),
    /// A value of a library of Kubernetes, such as an address or a quantity.
    Extension(Extension),
    /// A value that this crate does not evaluate.
    Unknown,
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::String(text.into())
    }

    pub(super) fn list(items: Vec<Value>) -> Self {
        Self::List(Arc::new(List::new(items, Order::Plain)))
    }

    pub(super) fn some(value: Self) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    /// Returns a count or an index.
    pub(super) fn count(count: usize) -> Self {
        i64::try_from(count).map_or(Self::Unknown, Self::Int)
    }

    /// Returns the name of the type, or `None` if it is not known.
    pub(super) fn type_name(&self) -> Option<&'static str> {
        Some(match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Map(_) | Self::Object(_) => "map",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Extension(extension) => extension.type_name(),
            Self::Unknown => return None,
        })
    }

    /// Converts JSON without a schema: objects become maps.
    ///
    /// ```
    /// use kgen_cel::Value;
    /// use serde_json::json;
    ///
    /// let Value::List(list) = Value::dynamic(&json!([1, 0.5, "a"])) else { unreachable!() };
    /// assert_eq!(list.items(), [Value::Int(1), Value::Double(0.5), Value::String("a".into())]);
    /// ```
    pub fn dynamic(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(value), _) => Self::Int(value),
                (None, Some(value)) => Self::Double(value),
                (None, None) => Self::Unknown,
            },
            Json::String(text) => Self::text(text),
            Json::Array(items) => Self::list(items.iter().map(Self::dynamic).collect()),
            Json::Object(entries) => {
                let entry = |(key, json): (&String, &Json)| (Self::text(key), Self::dynamic(json));
                Self::Map(Arc::new(entries.iter().map(entry).collect()))
            }
        }
    }

    /// Converts JSON that matches its schema, as rules see it.
    pub(crate) fn of<S: Schema>(json: &Json, declared: Declared<S>) -> Self {
        if json.is_null() {
            return Self::Null;
        }
        match (declared.shape(), json) {
            (Shape::List(item), Json::Array(items)) => {
                let order = match declared.schema() {
                    Some(schema) if schema.is_unordered_list() => match item.shape() {
                        Shape::Object => {
                            let keys = schema.list_map_keys().into_iter();
                            let keys = keys.map(|key| escaped(&key).unwrap_or(key));
                            Order::Map(keys.collect())
                        }
                        _ => Order::Set,
                    },
                    _ => Order::Schema,
                };
                let items = items.iter().map(|json| Self::of(json, item)).collect();
                Self::List(Arc::new(List::new(items, order)))
            }
            (Shape::Map(value), Json::Object(entries)) => {
                let entry = |(key, json): (&String, &Json)| (Self::text(key), Self::of(json, value));
                Self::Map(Arc::new(entries.iter().map(entry).collect()))
            }
            (Shape::Object, Json::Object(entries)) => Self::object(entries, declared),
            (Shape::Simple(Type::Bool), Json::Bool(value)) => Self::Bool(*value),
            (Shape::Simple(Type::Int), Json::Number(number)) => integer(number),
            (Shape::Simple(Type::Double), Json::Number(number)) => {
                number.as_f64().map_or(Self::Unknown, Self::Double)
            }
            (Shape::Simple(Type::Text), Json::String(text)) => Self::text(text),
            (Shape::Simple(Type::Bytes), Json::String(text)) => {
                decoded(text).map_or(Self::Unknown, |bytes| Self::Bytes(bytes.into()))
            }
            (Shape::Simple(Type::Timestamp), Json::String(text)) => {
                let timestamp = Timestamp::parse(text).or_else(|| Timestamp::parse_date(text));
                timestamp.map_or(Self::Unknown, Self::Timestamp)
            }
            (Shape::Simple(Type::Duration), Json::String(text)) => {
                parse_loose_duration(text).map_or(Self::Unknown, Self::Duration)
            }
            // An integer or a string.
            (Shape::Simple(Type::Dyn), Json::String(text)) => Self::text(text),
            (Shape::Simple(Type::Dyn), Json::Number(number)) => integer(number),
            _ => Self::Unknown,
        }
    }

    fn object<S: Schema>(entries: &serde_json::Map<String, Json>, declared: Declared<S>) -> Self {
        let mut fields = BTreeMap::new();
        for (name, json) in entries {
            let field = escaped(name).and_then(|name| Some((declared.field(&name)?, name)));
            let value = field.as_ref().map(|(field, _)| Self::of(json, *field));
            match (field, value) {
                // A field that is null does not exist for rules, but objects that differ in it are not equal.
                (Some((_, name)), Some(Self::Null)) => fields.insert(format!("#{name}"), Self::Null),
                (Some((_, name)), Some(value)) => fields.insert(name, value),
                // Rules cannot read it, but objects that differ in it are not equal.
                _ => fields.insert(format!("#{name}"), Self::dynamic(json)),
            };
        }
        Self::Object(Arc::new(fields))
    }

    /// Returns whether two values are equal in CEL. Numbers of different types are compared by their value.
    pub(super) fn equals(&self, other: &Self, meter: &mut Meter) -> Outcome<bool> {
        meter.step()?;
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Err(EvaluateError::NotKnown),
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => Ok(numbers(self, other)? == Some(Ordering::Equal)),
            (Self::List(left), Self::List(right)) => left.equals(right, meter),
            (Self::Map(left), Self::Map(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                let mut pairs = Vec::with_capacity(left.len());
                for (key, value) in left.iter() {
                    match super::operators::entry(right, key, meter)? {
                        Some(other) => pairs.push((value, other)),
                        None => return Ok(false),
                    }
                }
                all_equal(pairs.into_iter(), meter)
            }
            (Self::Object(left), Self::Object(right)) => {
                if !left.keys().eq(right.keys()) {
                    return Ok(false);
                }
                all_equal(left.values().zip(right.values()), meter)
            }
            (Self::Map(entries), Self::Object(fields)) | (Self::Object(fields), Self::Map(entries)) => {
                same_fields(fields, entries, meter)
            }
            (Self::Null, other) | (other, Self::Null) => Ok(matches!(other, Self::Null)),
            // Values of a schema refuse to be compared with other types.
            (Self::List(list), _) if list.is_of_schema() => no_such_overload(),
            (Self::Object(_), _) => no_such_overload(),
            // A map of a schema refuses this, another map does not.
            (Self::Map(_), _) => Err(EvaluateError::NotKnown),
            (Self::Extension(left), right) => left.equals(right),
            (Self::Timestamp(left), Self::Timestamp(right)) => Ok(left.cmp_instant(*right).is_eq()),
            (Self::Optional(Some(left)), Self::Optional(Some(right))) => left.equals(right, meter),
            (left, right) => Ok(left == right),
        }
    }

    /// Compares two values. Returns `None` if a number is NaN.
    pub(super) fn order(&self, other: &Self) -> Outcome<Option<Ordering>> {
        Ok(match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => return Err(EvaluateError::NotKnown),
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => numbers(self, other)?,
            (Self::String(left), Self::String(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
            (Self::Bytes(left), Self::Bytes(right)) => Some(left.cmp(right)),
            (Self::Bool(left), Self::Bool(right)) => Some(left.cmp(right)),
            (Self::Timestamp(left), Self::Timestamp(right)) => Some(left.cmp_instant(*right)),
            (Self::Duration(left), Self::Duration(right)) => Some(left.cmp(right)),
            // Only values whose type is known at run time can differ in their types.
            _ => return no_such_overload(),
        })
    }
}

/// Returns whether all pairs are equal. One pair that differs decides, even if another one is not known.
pub(super) fn all_equal<'v>(
    pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
    meter: &mut Meter,
) -> Outcome<bool> {
    let mut unknown = false;
    for (left, right) in pairs {
        match left.equals(right, meter) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(EvaluateError::NotKnown) => unknown = true,
            Err(stop) => return Err(stop),
        }
    }
    if unknown {
        Err(EvaluateError::NotKnown)
    } else {
        Ok(true)
    }
}

/// Returns whether an object has the same fields as a map.
fn same_fields(
    fields: &BTreeMap<String, Value>,
    entries: &[(Value, Value)],
    meter: &mut Meter,
) -> Outcome<bool> {
    if fields.len() != entries.len() {
        return Ok(false);
    }
    let mut pairs = Vec::with_capacity(entries.len());
    for (name, value) in fields {
        match super::operators::entry(entries, &Value::text(name), meter)? {
            Some(other) => pairs.push((value, other)),
            None => return Ok(false),
        }
    }
    all_equal(pairs.into_iter(), meter)
}

/// Compares two numbers. Returns `None` if one is NaN.
fn numbers(left: &Value, right: &Value) -> Outcome<Option<Ordering>> {
    let whole = |value: &Value| match value {
        Value::Int(value) => Some(i128::from(*value)),
        Value::Uint(value) => Some(i128::from(*value)),
        _ => None,
    };
    Ok(match (whole(left), whole(right), left, right) {
        (Some(left), Some(right), ..) => Some(left.cmp(&right)),
        (None, None, Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
        (Some(whole), _, _, Value::Double(float)) => compare_mixed(whole, *float),
        (_, Some(whole), Value::Double(float), _) => compare_mixed(whole, *float).map(Ordering::reverse),
        _ => return Err(EvaluateError::NotKnown),
    })
}

/// Compares an integer with a floating-point number, as `cel-go` does: it converts the integer to floating point, unless the
/// other number is outside the range of the integers.
fn compare_mixed(whole: i128, float: f64) -> Option<Ordering> {
    (whole as f64).partial_cmp(&float)
}

/// Decodes base64 in the alphabet for URLs, which the API server uses for values in rules.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let (mut bits, mut count) = (0_u32, 0);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for letter in digits.bytes() {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

fn integer(number: &serde_json::Number) -> Value {
    number.as_i64().map_or(Value::Unknown, Value::Int)
}
