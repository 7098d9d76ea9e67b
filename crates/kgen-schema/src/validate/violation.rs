//! Violations: a path and a keyword, with the message of the API server.

use serde_json::Value;

use crate::error::{ErrorKind, FieldError};
use crate::go_text::{json, printed_float, quoted};
use crate::path::{Path, Segment};

/// The violation of one keyword of a schema by one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The path of the value in the notation of schema validation, such as `spec.ports[0]`; empty for the whole value.
    pub path: String,
    /// The same path as a list.
    pub segments: Vec<Segment>,
    /// The violated keyword.
    pub problem: Problem,
    /// Whether the violation explains why an alternative of `anyOf` or `oneOf` does not match.
    pub is_detail: bool,
    message: String,
}

/// The ways in which a value violates a schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// The value does not have the type that the schema states.
    Type {
        /// The types that are allowed, separated by commas; the format, if the schema has only that.
        expected: String,
        /// The type of the value.
        actual: &'static str,
    },
    /// The string does not have the format.
    Format {
        /// The format.
        format: String,
        /// The string.
        text: String,
    },
    /// The number does not fit into the type and format of the schema.
    Range {
        /// `integer` or `number`.
        json_type: &'static str,
        /// The format; empty if there is none.
        format: String,
        /// The bound that does not fit; `None` if the value itself does not fit.
        bound: Option<Bound>,
    },
    /// The number is less than `minimum`.
    Minimum {
        /// The bound as text.
        bound: String,
        /// Whether the bound itself is excluded.
        exclusive: bool,
        /// The number.
        value: Value,
    },
    /// The number is greater than `maximum`.
    Maximum {
        /// The bound as text.
        bound: String,
        /// Whether the bound itself is excluded.
        exclusive: bool,
        /// The number.
        value: Value,
    },
    /// The number is not a multiple of `multipleOf`.
    MultipleOf {
        /// The factor as text.
        factor: String,
        /// The number.
        value: Value,
    },
    /// `multipleOf` is not positive.
    MultipleOfNotPositive {
        /// The factor.
        factor: Value,
    },
    /// The string is shorter than `minLength`.
    MinLength {
        /// The limit.
        limit: i64,
        /// The string.
        text: String,
    },
    /// The string is longer than `maxLength`.
    MaxLength {
        /// The limit.
        limit: i64,
        /// The length in characters.
        actual: usize,
    },
    /// The string does not match `pattern`.
    Pattern {
        /// The pattern.
        pattern: String,
        /// The string.
        text: String,
    },
    /// The list has fewer items than `minItems`.
    MinItems {
        /// The limit.
        limit: i64,
        /// The number of items.
        actual: usize,
    },
    /// The list has more items than `maxItems`.
    MaxItems {
        /// The limit.
        limit: i64,
        /// The number of items.
        actual: usize,
    },
    /// The list contains an item twice, despite `uniqueItems`.
    UniqueItems,
    /// The object has fewer properties than `minProperties`.
    MinProperties {
        /// The limit.
        limit: i64,
        /// The number of properties.
        actual: usize,
    },
    /// The object has more properties than `maxProperties`.
    MaxProperties {
        /// The limit.
        limit: i64,
        /// The number of properties.
        actual: usize,
    },
    /// A required property is missing. The path of the violation is that of the object.
    Required {
        /// The name of the property.
        name: String,
    },
    /// A property is not allowed, because `additionalProperties` is `false`.
    UnknownProperty {
        /// The name of the property.
        name: String,
    },
    /// The value is not in `enum`.
    Enum {
        /// The value.
        value: Value,
        /// The values that are allowed.
        allowed: Vec<Value>,
    },
    /// The value does not satisfy all schemas in `allOf`.
    AllOf {
        /// Whether it satisfies no schema at all.
        none: bool,
    },
    /// The value does not satisfy any schema in `anyOf`.
    AnyOf,
    /// The value does not satisfy exactly one schema in `oneOf`.
    OneOf {
        /// The number of schemas that it satisfies.
        count: usize,
    },
    /// The value satisfies the schema in `not`.
    Not,
}

/// A keyword that bounds numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `minimum`.
    Minimum,
    /// `maximum`.
    Maximum,
    /// `multipleOf`.
    MultipleOf,
}

impl Violation {
    pub(super) fn new(place: &Path<'_>, problem: Problem) -> Self {
        let path = place.dotted();
        let message = problem.message(&path);
        Self {
            path,
            segments: place.segments(),
            problem,
            is_detail: false,
            message,
        }
    }

    /// Returns the message that identifies the violation: the API server reports equal messages once.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Converts the violation to the error that the API server reports.
    pub fn into_field_error(self) -> FieldError {
        let Self {
            path,
            problem,
            message,
            ..
        } = self;
        let field = |path: String| {
            let name = path.strip_prefix('.').unwrap_or(&path);
            if name.is_empty() {
                "<nil>".to_owned()
            } else {
                name.to_owned()
            }
        };
        let invalid = FieldError::new(ErrorKind::Invalid, field(path.clone()), message.clone());
        match problem {
            Problem::Required { name } => FieldError::required(field(format!("{path}.{name}")), ""),
            Problem::Enum { value, allowed } => {
                let allowed = allowed.iter().map(|value| match value {
                    Value::String(text) => quoted(text),
                    value => quoted(&json(value)),
                });
                let allowed: Vec<_> = allowed.collect();
                let detail = format!("supported values: {}", allowed.join(", "));
                FieldError::new(ErrorKind::NotSupported, field(path), detail).with_json(&value)
            }
            Problem::MaxLength { limit, .. } => FieldError::too_long(field(path), limit),
            Problem::MaxItems { limit, actual } | Problem::MaxProperties { limit, actual } => {
                FieldError::too_many(field(path), actual, limit)
            }
            Problem::Type { actual, .. } => {
                FieldError::new(ErrorKind::TypeInvalid, field(path), message).with_text(actual)
            }
            Problem::Format { text, .. } => {
                FieldError::new(ErrorKind::TypeInvalid, field(path), message).with_text(&text)
            }
            Problem::Minimum { value, .. }
            | Problem::Maximum { value, .. }
            | Problem::MultipleOf { value, .. }
            | Problem::MultipleOfNotPositive { factor: value } => invalid.with_json(&value),
            Problem::MinLength { text, .. } | Problem::Pattern { text, .. } => invalid.with_text(&text),
            Problem::MinItems { actual, .. } | Problem::MinProperties { actual, .. } => {
                invalid.with_json(&Value::from(actual))
            }
            Problem::UnknownProperty { name } => invalid.with_text(&name),
            Problem::UniqueItems => invalid.with_text(""),
            // These errors do not have a field.
            Problem::Range { .. }
            | Problem::AllOf { .. }
            | Problem::AnyOf
            | Problem::OneOf { .. }
            | Problem::Not => FieldError::new(ErrorKind::Invalid, "<nil>", message).with_text(""),
        }
    }
}

impl Problem {
    fn message(&self, path: &str) -> String {
        match self {
            Self::Type { expected, actual } => {
                format!("{path} in body must be of type {expected}: {}", quoted(actual))
            }
            Self::Format { format, text } => {
                format!("{path} in body must be of type {format}: {}", quoted(text))
            }
            Self::Range {
                json_type,
                format,
                bound,
            } => {
                let what = match bound {
                    None => "Checked",
                    Some(Bound::Minimum) => "Minimum boundary",
                    Some(Bound::Maximum) => "Maximum boundary",
                    Some(Bound::MultipleOf) => "MultipleOf",
                };
                if format.is_empty() {
                    format!("{what} value must be of type {json_type} (default format) in {path}")
                } else {
                    format!("{what} value must be of type {json_type} with format {format} in {path}")
                }
            }
            Self::Minimum { bound, exclusive, .. } => {
                let words = if *exclusive {
                    "greater than"
                } else {
                    "greater than or equal to"
                };
                format!("{path} in body should be {words} {bound}")
            }
            Self::Maximum { bound, exclusive, .. } => {
                let words = if *exclusive {
                    "less than"
                } else {
                    "less than or equal to"
                };
                format!("{path} in body should be {words} {bound}")
            }
            Self::MultipleOf { factor, .. } => {
                format!("{path} in body should be a multiple of {factor}")
            }
            Self::MultipleOfNotPositive { factor } => {
                let factor = match factor.as_i64() {
                    Some(factor) => factor.to_string(),
                    None => printed_float(factor.as_f64().unwrap_or_default()),
                };
                format!("factor MultipleOf declared for {path} must be positive: {factor}")
            }
            Self::MinLength { limit, .. } => {
                format!("{path} in body should be at least {limit} chars long")
            }
            Self::MaxLength { limit, .. } => {
                format!("{path} in body should be at most {limit} chars long")
            }
            Self::Pattern { pattern, .. } => format!("{path} in body should match '{pattern}'"),
            Self::MinItems { limit, .. } => format!("{path} in body should have at least {limit} items"),
            Self::MaxItems { limit, .. } => format!("{path} in body should have at most {limit} items"),
            Self::UniqueItems => format!("{path} in body shouldn't contain duplicates"),
            Self::MinProperties { limit, .. } => {
                format!("{path} in body should have at least {limit} properties")
            }
            Self::MaxProperties { limit, .. } => {
                format!("{path} in body should have at most {limit} properties")
            }
            Self::Required { name } => format!("{path}.{name} in body is required"),
            Self::UnknownProperty { name } => format!("{path}.{name} in body is a forbidden property"),
            Self::Enum { allowed, .. } => {
                format!(
                    "{path} in body should be one of {}",
                    json(&Value::from(allowed.clone()))
                )
            }
            Self::AllOf { none } => {
                let none = if *none { ". None validated" } else { "" };
                format!("{} must validate all the schemas (allOf){none}", quoted(path))
            }
            Self::AnyOf => format!("{} must validate at least one schema (anyOf)", quoted(path)),
            Self::OneOf { count } => {
                let found = match count {
                    0 => "Found none valid".to_owned(),
                    count => format!("Found {count} valid alternatives"),
                };
                format!(
                    "{} must validate one and only one schema (oneOf). {found}",
                    quoted(path)
                )
            }
            Self::Not => format!("{} must not validate the schema (not)", quoted(path)),
        }
    }
}
