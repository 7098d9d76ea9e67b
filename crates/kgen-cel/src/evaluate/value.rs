//! The values of CEL, their conversion from JSON, and their comparison.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::declared::{Declared, Shape, escaped};
use crate::schema::Schema;
use crate::types::Type;

use super::meter::Meter;
use super::{EvaluateError, Outcome, fail};

/// Greater integers cannot be compared exactly with floating-point numbers.
const EXACT: u64 = 1 << 53;

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
    /// A value that this crate does not evaluate, such as a timestamp.
    Unknown,
}

/// A list.
#[derive(Debug, PartialEq)]
pub struct List {
    items: Vec<Value>,
    /// Whether the order does not matter when lists are compared or joined, as with `x-kubernetes-list-type: set`.
    pub(super) is_unordered: bool,
}

impl List {
    /// Returns the items.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::String(text.into())
    }

    pub(super) fn list(items: Vec<Value>) -> Self {
        Self::List(Arc::new(List {
            items,
            is_unordered: false,
        }))
    }

    /// Returns a count or an index.
    pub(super) fn count(count: usize) -> Self {
        i64::try_from(count).map_or(Self::Unknown, Self::Int)
    }

    /// Returns the name of the type of a simple value.
    pub(super) fn type_name(&self) -> Option<&'static str> {
        Some(match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            _ => return None,
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
                let schema = declared.schema();
                Self::List(Arc::new(List {
                    items: items.iter().map(|json| Self::of(json, item)).collect(),
                    is_unordered: schema.is_some_and(|schema| schema.is_unordered_list()),
                }))
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
                _ => fields.insert(format!("#{name}"), Self::Unknown),
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
            (Self::List(left), Self::List(right)) => {
                if left.is_unordered || right.is_unordered {
                    return Err(EvaluateError::NotKnown);
                }
                if left.items.len() != right.items.len() {
                    return Ok(false);
                }
                all_equal(left.items.iter().zip(&right.items), meter)
            }
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
            // Comparing a list of a schema with another type fails, comparing other lists does not.
            (Self::List(_), _) | (_, Self::List(_)) => Err(EvaluateError::NotKnown),
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
            // Only values whose type is known at run time can differ in their types.
            (left, right) if left.type_name().is_some() && right.type_name().is_some() => {
                return fail("no such overload", "no such overload");
            }
            _ => return Err(EvaluateError::NotKnown),
        })
    }
}

/// Returns whether all pairs are equal. One pair that differs decides, even if another one is not known.
fn all_equal<'v>(pairs: impl Iterator<Item = (&'v Value, &'v Value)>, meter: &mut Meter) -> Outcome<bool> {
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

fn numbers(left: &Value, right: &Value) -> Outcome<Option<Ordering>> {
    let whole = |value: &Value| match value {
        Value::Int(value) => Some(i128::from(*value)),
        Value::Uint(value) => Some(i128::from(*value)),
        _ => None,
    };
    if let (Some(left), Some(right)) = (whole(left), whole(right)) {
        return Ok(Some(left.cmp(&right)));
    }
    Ok(fraction(left)?.partial_cmp(&fraction(right)?))
}

/// Converts a number to floating point, if the conversion is exact.
fn fraction(value: &Value) -> Outcome<f64> {
    match value {
        Value::Double(value) => Ok(*value),
        Value::Int(value) if value.unsigned_abs() <= EXACT => Ok(*value as f64),
        Value::Uint(value) if *value <= EXACT => Ok(*value as f64),
        _ => Err(EvaluateError::NotKnown),
    }
}

fn integer(number: &serde_json::Number) -> Value {
    number.as_i64().map_or(Value::Unknown, Value::Int)
}
