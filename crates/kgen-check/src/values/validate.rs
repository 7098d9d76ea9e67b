//! Whether a value satisfies a schema, as the API server decides it.
//!
//! `kgen-schema` compares the value with the schema. This module chooses the violation to report, and describes it with
//! the keyword that it breaks and a hint.

use kgen_cel::go_regex::Patterns;
use kgen_diagnostics::words;
use kgen_model::{JsonType, Keyword, Number, Schema};
use kgen_schema::{Problem, Segment, Violation, violations};
use serde_json::Value;

use super::super::text::shown;
use super::hint_for_name;

/// Why a value does not satisfy a schema.
#[derive(Debug, PartialEq)]
pub(super) struct Failure {
    /// Where in the value; empty for the value itself.
    pub(super) path: String,
    /// The problem, as the end of a sentence.
    pub(super) message: String,
    /// The keyword that it breaks.
    pub(super) keyword: Option<Keyword>,
    /// The advice.
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

    /// Returns the same failure, seen from the value around it.
    pub(super) fn within(mut self, step: &str) -> Self {
        self.path.insert_str(0, step);
        self
    }

    /// Returns the same failure, seen from the value at the beginning of a path.
    pub(super) fn at(self, segments: &[Segment]) -> Self {
        segments.iter().rev().fold(self, |failure, step| match step {
            Segment::Name(name) => failure.within(&format!(".{name}")),
            Segment::Index(index) => failure.within(&format!("[{index}]")),
        })
    }

    /// Returns the message, with the path if there is one.
    pub(super) fn text(&self) -> String {
        if self.path.is_empty() {
            self.message.clone()
        } else {
            format!("`{}`: {}", self.path, self.message)
        }
    }
}

/// Compares a value with a schema, which is `converted` for `kgen-schema`.
pub(super) fn validate(
    schema: &Schema,
    converted: &kgen_schema::Schema,
    value: &Value,
    patterns: &Patterns,
) -> Result<(), Failure> {
    let found = violations(converted, value, patterns);
    match chosen(&found) {
        None => Ok(()),
        Some(violation) => Err(describe(schema, value, violation)),
    }
}

/// Chooses the violation to report: the first one, but a combination only if nothing within it is more exact.
///
/// Bounds that do not fit the type are reported where they are stated.
fn chosen(found: &[Violation]) -> Option<&Violation> {
    let mut stated = found.iter().filter(|violation| {
        let is_bound = matches!(violation.problem, Problem::Range { bound: Some(_), .. });
        // `allOf` is broken only together with one of its parts.
        !violation.is_detail && !is_bound && !matches!(violation.problem, Problem::AllOf { .. })
    });
    let first = stated.next()?;
    if is_combination(&first.problem) {
        let within = |other: &&Violation| {
            !is_combination(&other.problem) && other.segments.starts_with(&first.segments)
        };
        return stated.find(within).or(Some(first));
    }
    Some(first)
}

fn is_combination(problem: &Problem) -> bool {
    matches!(problem, Problem::AnyOf | Problem::OneOf { .. } | Problem::Not)
}

/// Describes a violation in the words of kgen.
fn describe(schema: &Schema, value: &Value, violation: &Violation) -> Failure {
    let (schema, value) = follow(schema, value, &violation.segments);
    let failure = match &violation.problem {
        Problem::Type { .. } => wrong_type(schema, value),
        Problem::Format { format, .. } => {
            Failure::of(Keyword::Format, format!("it does not have the format `{format}`"))
        }
        Problem::Range { .. } => {
            let format = schema.and_then(Schema::format).unwrap_or("int64");
            let number = value.map(number_text).unwrap_or_default();
            Failure::of(
                Keyword::Format,
                format!("{number} is out of range for the format `{format}`"),
            )
        }
        Problem::Minimum {
            exclusive,
            value,
            bound,
        } => {
            let words = if *exclusive {
                "not larger than"
            } else {
                "smaller than"
            };
            let message = format!("{} is {words} the minimum {bound}", number_text(value));
            Failure::of(Keyword::Minimum, message)
        }
        Problem::Maximum {
            exclusive,
            value,
            bound,
        } => {
            let words = if *exclusive {
                "not smaller than"
            } else {
                "larger than"
            };
            let message = format!("{} is {words} the maximum {bound}", number_text(value));
            Failure::of(Keyword::Maximum, message)
        }
        Problem::MultipleOf { .. } | Problem::MultipleOfNotPositive { .. } => {
            let factor = schema.and_then(|schema| schema.constraints.multiple_of);
            let factor = factor.map(|factor| factor.to_string()).unwrap_or_default();
            let number = value.map(number_text).unwrap_or_default();
            Failure::of(
                Keyword::MultipleOf,
                format!("{number} is not a multiple of {factor}"),
            )
        }
        Problem::MinLength { limit, text } => {
            let has = counted(text.chars().count(), "character", "characters");
            Failure::of(Keyword::MinLength, format!("it has {has}, fewer than {limit}"))
        }
        Problem::MaxLength { limit, actual } => {
            let has = counted(*actual, "character", "characters");
            Failure::of(Keyword::MaxLength, format!("it has {has}, more than {limit}"))
        }
        Problem::Pattern { pattern, .. } => {
            Failure::of(Keyword::Pattern, format!("it does not match `{pattern}`"))
        }
        Problem::MinItems { limit, actual } => {
            let has = counted(*actual, "item", "items");
            Failure::of(Keyword::MinItems, format!("it has {has}, fewer than {limit}"))
        }
        Problem::MaxItems { limit, actual } => {
            let has = counted(*actual, "item", "items");
            Failure::of(Keyword::MaxItems, format!("it has {has}, more than {limit}"))
        }
        Problem::MinProperties { limit, actual } => {
            let has = counted(*actual, "property", "properties");
            Failure::of(
                Keyword::MinProperties,
                format!("it has {has}, fewer than {limit}"),
            )
        }
        Problem::MaxProperties { limit, actual } => {
            let has = counted(*actual, "property", "properties");
            Failure::of(Keyword::MaxProperties, format!("it has {has}, more than {limit}"))
        }
        Problem::Required { name } => Failure {
            hint: schema.and_then(|schema| default_hint(schema, name)),
            ..Failure::new(format!("`{name}` is required and missing"))
        },
        Problem::Enum { allowed, .. } => {
            let words: Vec<_> = allowed.iter().map(shown).collect();
            let words = words::all_of(words.iter().map(String::as_str));
            Failure::of(Keyword::Enum, format!("it is not one of {words}"))
        }
        Problem::AnyOf => Failure::new("it does not match any schema in `anyOf`"),
        Problem::OneOf { count } => Failure::new(format!(
            "it matches {count} schemas in `oneOf` instead of exactly one"
        )),
        Problem::Not => Failure::new("it matches the schema in `not`"),
        other => Failure::new(format!("it does not match its schema ({other:?})")),
    };
    failure.at(&violation.segments)
}

/// Finds the part of a value at a path, and its schema.
pub(super) fn follow<'s, 'v>(
    schema: &'s Schema,
    value: &'v Value,
    segments: &[Segment],
) -> (Option<&'s Schema>, Option<&'v Value>) {
    let mut found = (Some(schema), Some(value));
    for segment in segments {
        let (schema, value) = found;
        found = match segment {
            Segment::Name(name) => (
                schema.and_then(|schema| {
                    let property = schema.properties.get(name).map(AsRef::as_ref);
                    property.or(schema.additional_properties.as_deref())
                }),
                value.and_then(|value| value.get(name)),
            ),
            Segment::Index(index) => (
                schema.and_then(|schema| schema.items.as_deref()),
                value.and_then(|value| value.get(index)),
            ),
        };
    }
    found
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn number_text(value: &Value) -> String {
    Number::from_json(value).map_or_else(|| value.to_string(), |number| number.to_string())
}

/// Hints that defaults of fields are not filled in before a default is compared with its schema.
fn default_hint(schema: &Schema, missing: &str) -> Option<String> {
    let property = schema.properties.get(missing)?;
    property.default.as_ref().map(|default| {
        format!(
            "add `{missing}` with the value {}, or make it optional; its own default does not apply here",
            shown(default)
        )
    })
}

fn wrong_type(schema: Option<&Schema>, value: Option<&Value>) -> Failure {
    let json_type = schema.and_then(|schema| schema.json_type);
    let expected = match json_type {
        Some(json_type) => format!("`{}`", json_type.word()),
        None if schema.is_some_and(|schema| schema.int_or_string) => "`integer` or `string`".to_owned(),
        None => "`string`".to_owned(),
    };
    let actual = value.map_or("null", type_word);
    Failure {
        hint: schema
            .zip(value)
            .and_then(|(schema, value)| quotes_hint(schema, value))
            .map(str::to_owned),
        ..Failure::of(Keyword::Type, format!("it has type `{actual}`, not {expected}"))
    }
}

/// Hints that only quotes distinguish a string from a number or a boolean.
fn quotes_hint(schema: &Schema, value: &Value) -> Option<&'static str> {
    match (schema.json_type?, value) {
        (JsonType::String, Value::Bool(_) | Value::Number(_)) => {
            Some("put it in double quotes to make it a string")
        }
        (JsonType::Boolean | JsonType::Integer | JsonType::Number, Value::String(text)) => {
            let inner = serde_json::from_str::<Value>(text).ok()?;
            let fits = match schema.json_type? {
                JsonType::Boolean => inner.is_boolean(),
                JsonType::Integer => is_integer(&inner),
                _ => inner.is_number(),
            };
            fits.then_some("write it without quotes")
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

/// Describes a name that a schema does not have.
pub(super) fn unknown_property(schema: Option<&Schema>, name: &str) -> Failure {
    let failure = Failure::new(format!("there is no field `{name}`"));
    Failure {
        hint: schema.and_then(|schema| hint_for_name(schema, name)),
        ..failure
    }
}
