//! A schema as a judge and as a source of values: whether it accepts a value, and values that it should accept, or
//! almost.

use kgen_model::{JsonType, Number, Schema};
use serde_json::{Map, Value};

/// Random choices that follow from one number.
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Why a value is refused; nothing if it is accepted.
pub(crate) fn accepts(schema: &Schema, value: &Value) -> Result<(), String> {
    let refuse = |reason: &str| Err(format!("{reason}: {value}"));
    if value.is_null() {
        return if schema.nullable { Ok(()) } else { refuse("null") };
    }
    let fits = match schema.json_type {
        None => true,
        Some(JsonType::Array) => value.is_array(),
        Some(JsonType::Boolean) => value.is_boolean(),
        Some(JsonType::Integer) => value.is_i64() || value.is_u64(),
        Some(JsonType::Number) => value.is_number(),
        Some(JsonType::Object) => value.is_object(),
        Some(JsonType::String) => value.is_string(),
    };
    if !fits {
        return refuse("type");
    }
    if schema.int_or_string && !(value.is_i64() || value.is_string()) {
        return refuse("int-or-string");
    }
    let limits = &schema.constraints;
    if limits
        .enumeration
        .as_ref()
        .is_some_and(|values| !values.contains(value))
    {
        return refuse("enum");
    }
    if schema.not.as_ref().is_some_and(|not| accepts(not, value).is_ok()) {
        return refuse("not");
    }
    if let Some(integer) = value.as_i64() {
        let number = Number::Integer(integer);
        if limits.minimum.is_some_and(|bound| number.compare(bound).is_lt())
            || limits.maximum.is_some_and(|bound| number.compare(bound).is_gt())
            || (schema.format() == Some("int32") && i32::try_from(integer).is_err())
        {
            return refuse("bounds");
        }
    } else if value.is_u64() {
        return refuse("int64");
    }
    if let Some(text) = value.as_str() {
        let length = i64::try_from(text.chars().count()).unwrap();
        if limits.min_length.is_some_and(|least| length < least)
            || limits.max_length.is_some_and(|most| length > most)
        {
            return refuse("length");
        }
        let formed = match schema.format() {
            Some("ipv4") => text.parse::<std::net::Ipv4Addr>().is_ok(),
            Some("ipv6") => text.parse::<std::net::Ipv6Addr>().is_ok(),
            _ => true,
        };
        if !formed {
            return refuse("format");
        }
    }
    if let Some(list) = value.as_array() {
        let length = i64::try_from(list.len()).unwrap();
        if limits.min_items.is_some_and(|least| length < least)
            || limits.max_items.is_some_and(|most| length > most)
        {
            return refuse("items");
        }
        for item in list {
            accepts(schema.items.as_ref().unwrap(), item)?;
        }
    }
    if let Some(object) = value.as_object() {
        if let Some(name) = schema.required.iter().find(|name| !object.contains_key(*name)) {
            return refuse(&format!("`{name}` is required"));
        }
        for (name, inner) in object {
            if let Some(property) = schema.properties.get(name) {
                accepts(property, inner)?;
            } else if let Some(values) = &schema.additional_properties {
                accepts(values, inner)?;
            }
        }
    }
    if !schema.one_of.is_empty()
        && schema
            .one_of
            .iter()
            .filter(|part| accepts(part, value).is_ok())
            .count()
            != 1
    {
        return refuse("oneOf");
    }
    if !schema.any_of.is_empty() && !schema.any_of.iter().any(|part| accepts(part, value).is_ok()) {
        return refuse("anyOf");
    }
    limits.all_of.iter().try_for_each(|part| accepts(part, value))
}

/// Takes away the nulls that no schema allows, as the API server does.
pub(crate) fn prune_nulls(schema: &Schema, value: &mut Value) {
    if let Value::Object(object) = value {
        object.retain(|name, inner| {
            let nullable = schema
                .properties
                .get(name)
                .or(schema.additional_properties.as_ref());
            !inner.is_null() || nullable.is_none_or(|property| property.nullable)
        });
        for (name, inner) in object {
            if let Some(property) = schema
                .properties
                .get(name)
                .or(schema.additional_properties.as_ref())
            {
                prune_nulls(property, inner);
            }
        }
    } else if let (Value::Array(list), Some(items)) = (value, &schema.items) {
        list.iter_mut().for_each(|item| prune_nulls(items, item));
    }
}

/// A value that the schema accepts, most of the time.
pub(crate) fn value(schema: &Schema, choices: &mut Choices) -> Value {
    let mut made = attempt(schema, choices);
    for _ in 0..40 {
        if accepts(schema, &made).is_ok() {
            break;
        }
        made = attempt(schema, choices);
    }
    // Once in a while something that is almost right.
    if choices.one_in(400) {
        return choices
            .pick(&[
                Value::Null,
                Value::from(0),
                Value::from(""),
                Value::from(-1),
                Value::Bool(true),
            ])
            .clone();
    }
    made
}

fn attempt(schema: &Schema, choices: &mut Choices) -> Value {
    if schema.nullable && choices.one_in(4) {
        return Value::Null;
    }
    if let Some(values) = &schema.constraints.enumeration {
        return choices.pick(values).clone();
    }
    match schema.json_type {
        Some(JsonType::Boolean) => Value::from(choices.one_in(2)),
        Some(JsonType::Integer | JsonType::Number) => integer(schema, choices),
        Some(JsonType::String) => text(schema, choices),
        Some(JsonType::Array) => {
            let least = usize::try_from(schema.constraints.min_items.unwrap_or(0)).unwrap();
            let most = usize::try_from(schema.constraints.max_items.unwrap_or(3)).unwrap();
            let length = least + choices.below(most.saturating_sub(least) + 1);
            let items = schema.items.as_ref().unwrap();
            Value::from((0..length).map(|_| value(items, choices)).collect::<Vec<_>>())
        }
        Some(JsonType::Object) => object(schema, choices),
        None => choices
            .pick(&[Value::from(1), Value::from("any"), Value::Bool(true)])
            .clone(),
    }
}

fn integer(schema: &Schema, choices: &mut Choices) -> Value {
    let bound = |bound: Option<Number>| match bound {
        Some(Number::Integer(value)) => Some(value),
        _ => None,
    };
    let wide = schema.format() != Some("int32");
    let least = bound(schema.constraints.minimum).unwrap_or(if wide { i64::MIN } else { i32::MIN.into() });
    let most = bound(schema.constraints.maximum).unwrap_or(if wide { i64::MAX } else { i32::MAX.into() });
    let small = i64::try_from(choices.below(300)).unwrap().clamp(least, most);
    Value::from(*choices.pick(&[least, most, small, small]))
}

fn text(schema: &Schema, choices: &mut Choices) -> Value {
    match schema.format() {
        Some("ipv4") => return Value::from("192.0.2.7"),
        Some("ipv6") => return Value::from("2001:db8::7"),
        _ => {}
    }
    if schema.constraints.max_length == Some(1) {
        return Value::from(*choices.pick(&["a", "ü", "\u{1f600}", "0"]));
    }
    Value::from(*choices.pick(&["", "text", "two words", "ünïcödé", "yes", "0", "null"]))
}

fn object(schema: &Schema, choices: &mut Choices) -> Value {
    let mut object = Map::new();
    for (name, property) in &schema.properties {
        if schema.required.contains(name) || choices.one_in(2) {
            object.insert(name.clone(), value(property, choices));
        }
    }
    if let Some(values) = &schema.additional_properties {
        for index in 0..choices.below(3) {
            object.insert(format!("key {index}"), value(values, choices));
        }
    }
    Value::Object(object)
}
