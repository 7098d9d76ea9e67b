//! Whether a value satisfies a schema, as the API server decides it.
//!
//! Mirrors `kube-openapi/pkg/validation/validate` with its oddities where they refuse something: bounds of integers
//! are cut to integers, and `null` never satisfies an enumeration. The first failure in a fixed order is reported.

use kgen_cel::go_regex::Patterns;
use kgen_model::{Constraints, JsonType, Keyword, Number, Schema};
use serde_json::{Map, Value};

use super::super::text::{quoted_list, shown};
use super::{formats, hint_for_name};

/// Why a value does not satisfy a schema.
#[derive(Debug, PartialEq)]
pub(crate) struct Failure {
    /// Where in the value; empty for the value itself.
    pub(super) path: String,
    /// What is wrong, as the end of a sentence.
    pub(super) message: String,
    /// The keyword that it breaks.
    pub(super) keyword: Option<Keyword>,
    /// What may help.
    pub(super) hint: Option<String>,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            message: message.into(),
            keyword: None,
            hint: None,
        }
    }

    fn of(keyword: Keyword, message: impl Into<String>) -> Self {
        Self {
            keyword: Some(keyword),
            ..Self::new(message)
        }
    }

    /// The same failure, seen from the value around it.
    pub(super) fn within(mut self, step: &str) -> Self {
        self.path.insert_str(0, step);
        self
    }

    /// The message, with the path if there is one.
    pub(crate) fn text(&self) -> String {
        if self.path.is_empty() {
            self.message.clone()
        } else {
            format!("`{}`: {}", self.path, self.message)
        }
    }
}

/// Compares values with schemas.
#[derive(Clone, Copy)]
pub(crate) struct Validator<'a> {
    /// Compiled patterns.
    pub(crate) patterns: &'a Patterns,
}

impl Validator<'_> {
    /// Whether `value` satisfies `schema`, and why not.
    pub(crate) fn validate(self, schema: &Schema, value: &Value) -> Result<(), Failure> {
        check_type(schema, value)?;
        let constraints = &schema.constraints;
        match value {
            Value::Null => {}
            Value::Bool(_) => {}
            Value::Number(_) => check_number(schema, value)?,
            Value::String(text) => self.check_string(schema, text)?,
            Value::Array(items) => self.check_items(schema, items)?,
            Value::Object(entries) => self.check_properties(schema, entries)?,
        }
        check_enumeration(constraints, value)?;
        if value.is_null() {
            return Ok(());
        }
        self.check_combinations(schema, value)
    }

    fn check_string(self, schema: &Schema, text: &str) -> Result<(), Failure> {
        let constraints = &schema.constraints;
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        let unit = if length == 1 { "character" } else { "characters" };
        if let Some(most) = constraints.max_length.filter(|most| length > *most) {
            return Err(Failure::of(
                Keyword::MaxLength,
                format!("it has {length} {unit}, more than {most}"),
            ));
        }
        if let Some(least) = constraints.min_length.filter(|least| length < *least) {
            return Err(Failure::of(
                Keyword::MinLength,
                format!("it has {length} {unit}, fewer than {least}"),
            ));
        }
        if let Some(pattern) = constraints
            .pattern
            .as_deref()
            .filter(|pattern| self.patterns.is_match(pattern, text) == Some(false))
        {
            return Err(Failure::of(
                Keyword::Pattern,
                format!("it does not match `{pattern}`"),
            ));
        }
        match schema.format().filter(|format| !formats::accepts(format, text)) {
            Some(format) => Err(Failure::of(
                Keyword::Format,
                format!("it is not of the format `{format}`"),
            )),
            None => Ok(()),
        }
    }

    fn check_items(self, schema: &Schema, items: &[Value]) -> Result<(), Failure> {
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let unit = if count == 1 { "item" } else { "items" };
        if let Some(most) = schema.constraints.max_items.filter(|most| count > *most) {
            return Err(Failure::of(
                Keyword::MaxItems,
                format!("it has {count} {unit}, more than {most}"),
            ));
        }
        if let Some(least) = schema.constraints.min_items.filter(|least| count < *least) {
            return Err(Failure::of(
                Keyword::MinItems,
                format!("it has {count} {unit}, fewer than {least}"),
            ));
        }
        let Some(expected) = &schema.items else {
            return Ok(());
        };
        for (position, item) in items.iter().enumerate() {
            self.validate(expected, item)
                .map_err(|failure| failure.within(&format!("[{position}]")))?;
        }
        Ok(())
    }

    fn check_properties(self, schema: &Schema, entries: &Map<String, Value>) -> Result<(), Failure> {
        let count = i64::try_from(entries.len()).unwrap_or(i64::MAX);
        let unit = if count == 1 { "property" } else { "properties" };
        if let Some(most) = schema.constraints.max_properties.filter(|most| count > *most) {
            return Err(Failure::of(
                Keyword::MaxProperties,
                format!("it has {count} {unit}, more than {most}"),
            ));
        }
        if let Some(least) = schema.constraints.min_properties.filter(|least| count < *least) {
            return Err(Failure::of(
                Keyword::MinProperties,
                format!("it has {count} {unit}, fewer than {least}"),
            ));
        }
        for (name, entry) in entries {
            let expected = schema
                .properties
                .get(name)
                .or(schema.additional_properties.as_ref());
            if let Some(expected) = expected {
                self.validate(expected, entry)
                    .map_err(|failure| failure.within(&format!(".{name}")))?;
            }
        }
        match schema.required.iter().find(|name| !entries.contains_key(*name)) {
            Some(missing) => {
                let failure = Failure::new(format!("`{missing}` is required and missing"));
                Err(Failure {
                    hint: default_hint(schema, missing),
                    ..failure
                })
            }
            None => Ok(()),
        }
    }

    fn check_combinations(self, schema: &Schema, value: &Value) -> Result<(), Failure> {
        for part in &schema.constraints.all_of {
            self.validate(part, value)?;
        }
        let fits = |part: &&Schema| self.validate(part, value).is_ok();
        if !schema.any_of.is_empty() && !schema.any_of.iter().any(|part| fits(&part)) {
            return Err(Failure::new("it satisfies none of the schemas in `anyOf`"));
        }
        if !schema.one_of.is_empty() {
            let matching = schema.one_of.iter().filter(fits).count();
            if matching != 1 {
                let message = format!("it satisfies {matching} of the schemas in `oneOf`, not exactly one");
                return Err(Failure::new(message));
            }
        }
        match &schema.not {
            Some(not) if fits(&not.as_ref()) => Err(Failure::new("it satisfies the schema in `not`")),
            _ => Ok(()),
        }
    }
}

/// Defaults of fields are not filled in before a default is compared with its schema.
fn default_hint(schema: &Schema, missing: &str) -> Option<String> {
    let property = schema.properties.get(missing)?;
    property.default.as_ref().map(|default| {
        format!(
            "its own default is not considered here; write `{missing}` with {} too, or make it optional",
            shown(default)
        )
    })
}

fn check_type(schema: &Schema, value: &Value) -> Result<(), Failure> {
    let fits = match schema.json_type {
        _ if value.is_null() && schema.json_type.is_some() => schema.nullable,
        None if schema.int_or_string => is_integer(value) || value.is_string(),
        // A format without a type makes the API server expect a text or a list, or a number that it reads in this format.
        None => {
            schema
                .format()
                .is_none_or(|format| format == "int64" && value.is_i64())
                || value.is_null()
                || value.is_string()
                || value.is_array()
        }
        Some(JsonType::Array) => value.is_array(),
        Some(JsonType::Boolean) => value.is_boolean(),
        Some(JsonType::Integer) => is_integer(value),
        Some(JsonType::Number) => value.is_number(),
        Some(JsonType::Object) => value.is_object(),
        Some(JsonType::String) => value.is_string(),
    };
    if fits {
        return Ok(());
    }
    let expected = match schema.json_type {
        Some(json_type) => format!("`{}`", json_type.word()),
        None if schema.int_or_string => "`integer` or `string`".to_owned(),
        None => "`string`".to_owned(),
    };
    let message = format!("it has type `{}`, not {expected}", type_word(value));
    Err(Failure {
        hint: quotes_hint(schema, value).map(str::to_owned),
        ..Failure::of(Keyword::Type, message)
    })
}

/// Quotes are all that tells a text from a number or a truth.
fn quotes_hint(schema: &Schema, value: &Value) -> Option<&'static str> {
    match (schema.json_type?, value) {
        (JsonType::String, Value::Bool(_) | Value::Number(_)) => {
            Some("put it in double quotes, so that it is a text")
        }
        (JsonType::Boolean | JsonType::Integer | JsonType::Number, Value::String(text)) => {
            let inner = serde_json::from_str::<Value>(text).ok()?;
            check_type(schema, &inner)
                .is_ok()
                .then_some("write it without quotes")
        }
        _ => None,
    }
}

fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|float| float.fract() == 0.0)
}

fn type_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) if is_integer(value) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn check_number(schema: &Schema, value: &Value) -> Result<(), Failure> {
    let Some(number) = Number::from_json(value) else {
        return Ok(());
    };
    let constraints = &schema.constraints;
    let range = match (schema.json_type, schema.format(), number) {
        (Some(JsonType::Integer), Some("int32"), Number::Integer(value)) => i32::try_from(value).is_ok(),
        (Some(JsonType::Integer), _, Number::Float(_)) => false,
        (Some(JsonType::Number), Some("float"), number) => is_single(number.as_f64()),
        _ => true,
    };
    if !range {
        let format = schema.format().unwrap_or("int64");
        return Err(Failure::of(
            Keyword::Format,
            format!("{number} is beyond the format `{format}`"),
        ));
    }
    if let Some(least) = constraints.minimum {
        let order = number.compare(least);
        if order.is_lt() || (constraints.exclusive_minimum && order.is_eq()) {
            let words = if constraints.exclusive_minimum {
                "not larger than"
            } else {
                "smaller than"
            };
            return Err(Failure::of(
                Keyword::Minimum,
                format!("{number} is {words} the minimum {least}"),
            ));
        }
    }
    if let Some(most) = constraints.maximum {
        let order = number.compare(most);
        if order.is_gt() || (constraints.exclusive_maximum && order.is_eq()) {
            let words = if constraints.exclusive_maximum {
                "not smaller than"
            } else {
                "larger than"
            };
            return Err(Failure::of(
                Keyword::Maximum,
                format!("{number} is {words} the maximum {most}"),
            ));
        }
    }
    match constraints.multiple_of {
        Some(factor) if !is_multiple(number, factor) => Err(Failure::of(
            Keyword::MultipleOf,
            format!("{number} is not a multiple of {factor}"),
        )),
        _ => Ok(()),
    }
}

/// Returns whether a number can be rounded to a float of 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "this is what is tested")]
pub(crate) fn is_single(number: f64) -> bool {
    (number as f32).is_finite()
}

/// The API server cuts the factor to an integer if the value is one; a factor below one then divides nothing.
fn is_multiple(number: Number, factor: Number) -> bool {
    match (number, factor) {
        (Number::Integer(_), Number::Float(fraction)) => {
            Number::from_f64(fraction.trunc()).is_some_and(|cut| cut.divides(number))
                && factor.divides(number)
        }
        _ => factor.divides(number),
    }
}

fn check_enumeration(constraints: &Constraints, value: &Value) -> Result<(), Failure> {
    let Some(allowed) = constraints
        .enumeration
        .as_ref()
        .filter(|allowed| !allowed.is_empty())
    else {
        return Ok(());
    };
    if !value.is_null() && allowed.iter().any(|candidate| is_equal(candidate, value)) {
        return Ok(());
    }
    let words: Vec<_> = allowed.iter().map(shown).collect();
    let message = format!("it is none of {}", quoted_list(words.iter().map(String::as_str)));
    Err(Failure::of(Keyword::Enum, message))
}

/// Equality that does not care how a number is written.
fn is_equal(left: &Value, right: &Value) -> bool {
    match (Number::from_json(left), Number::from_json(right)) {
        (Some(left), Some(right)) => left.compare(right).is_eq(),
        _ => left == right,
    }
}

/// What to say about a name that a schema does not have.
pub(super) fn unknown_property(schema: &Schema, name: &str) -> Failure {
    let failure = Failure::new(format!("there is no field `{name}`"));
    Failure {
        hint: hint_for_name(schema, name),
        ..failure
    }
}
