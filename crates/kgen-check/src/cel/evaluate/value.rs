//! Values of CEL, how the JSON of a schema becomes one, and when two are the same.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use kgen_model::ListType;
use serde_json::Value as Json;

use super::super::declared::{Declared, Sort, escaped};
use super::super::types::Type;
use super::{Outcome, Stop};

/// Integers beyond this cannot be compared with fractions exactly.
const EXACT: u64 = 1 << 53;

/// How many parts of two values are compared.
const MOST_COMPARED: usize = 100_000;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Rc<str>),
    Bytes(Rc<[u8]>),
    List(Rc<List>),
    Map(Rc<Vec<(Value, Value)>>),
    /// An object of the schema: the fields that rules can see, by their names in rules.
    Object(Rc<BTreeMap<String, Value>>),
    Optional(Option<Rc<Value>>),
    /// Something that is not understood here, such as a time.
    Unknown,
}

/// A list.
#[derive(Debug, PartialEq)]
pub(in super::super) struct List {
    pub(super) items: Vec<Value>,
    /// Whether the order does not matter when lists are compared or put together, as with `+listType=set`.
    pub(super) is_unordered: bool,
}

impl List {
    /// A list as a rule writes it.
    pub(super) fn plain(items: Vec<Value>) -> Self {
        Self {
            items,
            is_unordered: false,
        }
    }
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn list(items: Vec<Value>) -> Self {
        Self::List(Rc::new(List::plain(items)))
    }

    /// A number of elements, or a place among them.
    pub(super) fn count(count: usize) -> Self {
        i64::try_from(count).map_or(Self::Unknown, Self::Int)
    }

    /// What rules see of a value that fits its schema.
    pub(in super::super) fn of(json: &Json, declared: Declared<'_>) -> Self {
        if json.is_null() {
            return Self::Null;
        }
        match (declared.sort(), json) {
            (Sort::List(item), Json::Array(items)) => {
                let list_type = declared.schema().and_then(|schema| schema.list_type);
                Self::List(Rc::new(List {
                    items: items.iter().map(|json| Self::of(json, item)).collect(),
                    is_unordered: matches!(list_type, Some(ListType::Set | ListType::Map)),
                }))
            }
            (Sort::Map(value), Json::Object(entries)) => {
                let entry = |(key, json): (&String, &Json)| (Self::text(key), Self::of(json, value));
                Self::Map(Rc::new(entries.iter().map(entry).collect()))
            }
            (Sort::Object, Json::Object(entries)) => Self::object(entries, declared),
            (Sort::Simple(Type::Bool), Json::Bool(value)) => Self::Bool(*value),
            (Sort::Simple(Type::Int), Json::Number(number)) => integer(number),
            (Sort::Simple(Type::Double), Json::Number(number)) => {
                number.as_f64().map_or(Self::Unknown, Self::Double)
            }
            (Sort::Simple(Type::Text), Json::String(text)) => Self::text(text),
            // An integer or a text, as it comes.
            (Sort::Simple(Type::Dyn), Json::String(text)) => Self::text(text),
            (Sort::Simple(Type::Dyn), Json::Number(number)) => integer(number),
            _ => Self::Unknown,
        }
    }

    fn object(entries: &serde_json::Map<String, Json>, declared: Declared<'_>) -> Self {
        // Whole objects have metadata that the schema does not speak of.
        if !matches!(declared, Declared::Value(_)) {
            return Self::Unknown;
        }
        let mut fields = BTreeMap::new();
        for (name, json) in entries {
            let field = escaped(name).and_then(|name| Some((declared.field(&name)?, name)));
            let value = field.as_ref().map(|(field, _)| Self::of(json, *field));
            match (field, value) {
                // Whether a field that is null is there depends on more than is known here.
                (Some((_, name)), Some(Self::Null)) => fields.insert(name, Self::Unknown),
                (Some((_, name)), Some(value)) => fields.insert(name, value),
                // Rules cannot read it, but two objects that differ in it are not the same.
                _ => fields.insert(format!("#{name}"), Self::Unknown),
            };
        }
        Self::Object(Rc::new(fields))
    }

    /// Whether two values are the same. Values of different sorts are not, but numbers are compared by what they count.
    pub(super) fn equals(&self, other: &Self) -> Outcome<bool> {
        self.equals_within(other, &mut { MOST_COMPARED })
    }

    /// Compares two values, of which parts can be shared so often that the comparison would never end.
    fn equals_within(&self, other: &Self, left_over: &mut usize) -> Outcome<bool> {
        *left_over = left_over.checked_sub(1).ok_or(Stop::Unknown)?;
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Err(Stop::Unknown),
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => Ok(numbers(self, other)? == Some(Ordering::Equal)),
            (Self::List(left), Self::List(right)) => {
                if left.is_unordered || right.is_unordered {
                    return Err(Stop::Unknown);
                }
                if left.items.len() != right.items.len() {
                    return Ok(false);
                }
                all_equal(left.items.iter().zip(&right.items), left_over)
            }
            (Self::Map(left), Self::Map(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                let mut pairs = Vec::with_capacity(left.len());
                for (key, value) in left.iter() {
                    match super::operators::entry(right, key)? {
                        Some(other) => pairs.push((value, other)),
                        None => return Ok(false),
                    }
                }
                all_equal(pairs.into_iter(), left_over)
            }
            (Self::Object(left), Self::Object(right)) => {
                if !left.keys().eq(right.keys()) {
                    return Ok(false);
                }
                all_equal(left.values().zip(right.values()), left_over)
            }
            // Lists of a schema cannot be compared with anything else, other lists can.
            (Self::List(_), _) | (_, Self::List(_)) => Err(Stop::Unknown),
            (Self::Optional(Some(left)), Self::Optional(Some(right))) => left.equals_within(right, left_over),
            (left, right) => Ok(left == right),
        }
    }

    /// How two values stand to each other; nothing if they cannot be compared.
    pub(super) fn order(&self, other: &Self) -> Outcome<Option<Ordering>> {
        Ok(match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => return Err(Stop::Unknown),
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => numbers(self, other)?,
            (Self::Text(left), Self::Text(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
            (Self::Bytes(left), Self::Bytes(right)) => Some(left.cmp(right)),
            (Self::Bool(left), Self::Bool(right)) => Some(left.cmp(right)),
            _ => return Err(Stop::Unknown),
        })
    }
}

/// Whether all pairs are the same. A pair that differs decides, also where another one is not known.
fn all_equal<'v>(
    pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
    left_over: &mut usize,
) -> Outcome<bool> {
    let mut unknown = false;
    for (left, right) in pairs {
        if *left_over == 0 {
            return Err(Stop::Unknown);
        }
        match left.equals_within(right, left_over) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(Stop::Unknown) => unknown = true,
            Err(stop) => return Err(stop),
        }
    }
    if unknown { Err(Stop::Unknown) } else { Ok(true) }
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

/// A number as a fraction, if that loses nothing.
fn fraction(value: &Value) -> Outcome<f64> {
    match value {
        Value::Double(value) => Ok(*value),
        Value::Int(value) if value.unsigned_abs() <= EXACT => Ok(*value as f64),
        Value::Uint(value) if *value <= EXACT => Ok(*value as f64),
        _ => Err(Stop::Unknown),
    }
}

fn integer(number: &serde_json::Number) -> Value {
    number.as_i64().map_or(Value::Unknown, Value::Int)
}
