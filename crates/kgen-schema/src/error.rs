//! Errors of single fields, with the words of the Kubernetes API machinery.

use std::error::Error;
use std::fmt::{self, Display};

use serde_core::Serialize;
use serde_json::Value;

use crate::go_text::{quoted, shown, shown_value};

/// The way in which a field is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The value is malformed or out of bounds.
    Invalid,
    /// The value does not have the type of the field.
    TypeInvalid,
    /// The value is missing.
    Required,
    /// The value is not allowed in this situation.
    Forbidden,
    /// The value is not one of the supported ones.
    NotSupported,
    /// The value must be unique.
    Duplicate,
    /// The value names something that does not exist.
    NotFound,
    /// The value is too long.
    TooLong,
    /// The value is too short.
    TooShort,
    /// The list or map has too many items.
    TooMany,
    /// The list or map has too few items.
    TooFew,
    /// The value could not be validated.
    Internal,
}

impl ErrorKind {
    /// Returns the `reason` of a cause in a `Status`, such as `FieldValueInvalid`.
    pub fn reason(self) -> &'static str {
        self.words().0
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Invalid => ("FieldValueInvalid", "Invalid value"),
            Self::TypeInvalid => ("FieldValueTypeInvalid", "Invalid value"),
            Self::Required => ("FieldValueRequired", "Required value"),
            Self::Forbidden => ("FieldValueForbidden", "Forbidden"),
            Self::NotSupported => ("FieldValueNotSupported", "Unsupported value"),
            Self::Duplicate => ("FieldValueDuplicate", "Duplicate value"),
            Self::NotFound => ("FieldValueNotFound", "Not found"),
            Self::TooLong => ("FieldValueTooLong", "Too long"),
            Self::TooShort => ("FieldValueTooShort", "Too short"),
            Self::TooMany => ("FieldValueTooMany", "Too many"),
            Self::TooFew => ("FieldValueTooFew", "Too few"),
            Self::Internal => ("InternalError", "Internal error"),
        }
    }
}

/// An error of one field. It is displayed as the API server shows it:
/// `spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1`.
///
/// ```
/// use kgen_schema::{ErrorKind, FieldError};
///
/// let error = FieldError::new(ErrorKind::Invalid, "spec.size", "must be at least 1").with_value(&0);
/// assert_eq!(error.to_string(), "spec.size: Invalid value: 0: must be at least 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    kind: ErrorKind,
    field: String,
    /// The value as text, for the kinds that show it.
    value: Option<String>,
    detail: String,
}

impl FieldError {
    /// Returns the detail of the message.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Replaces the detail of the message.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Creates an error that does not show the value.
    pub fn new(kind: ErrorKind, field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            kind,
            field: field.into(),
            value: None,
            detail: detail.into(),
        }
    }

    /// Adds the value to the error.
    #[must_use]
    pub fn with_value(mut self, value: &(impl Serialize + ?Sized)) -> Self {
        self.value = Some(shown_value(value));
        self
    }

    /// Adds a value that was read from JSON.
    pub(crate) fn with_json(mut self, value: &Value) -> Self {
        self.value = Some(shown(value));
        self
    }

    pub(crate) fn with_text(mut self, text: &str) -> Self {
        self.value = Some(quoted(text));
        self
    }

    /// Adds a value that is already in the notation of the API server.
    pub(crate) fn with_shown(mut self, shown: impl Into<String>) -> Self {
        self.value = Some(shown.into());
        self
    }

    pub(crate) fn invalid(field: impl Into<String>, value: &Value, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, field, detail).with_json(value)
    }

    pub(crate) fn invalid_text(field: impl Into<String>, text: &str, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, field, detail).with_text(text)
    }

    pub(crate) fn required(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Required, field, detail)
    }

    /// Creates the error of a value that is not one of the supported ones.
    pub fn not_supported<S: AsRef<str>>(
        field: impl Into<String>,
        value: &(impl Serialize + ?Sized),
        supported: &[S],
    ) -> Self {
        let supported: Vec<String> = supported.iter().map(|value| quoted(value.as_ref())).collect();
        let detail = if supported.is_empty() {
            String::new()
        } else {
            format!("supported values: {}", supported.join(", "))
        };
        Self::new(ErrorKind::NotSupported, field, detail).with_value(value)
    }

    /// Creates the error of a value that has too many bytes. A negative limit is not shown.
    pub fn too_long(field: impl Into<String>, max_bytes: i64) -> Self {
        let detail = match max_bytes {
            ..=-1 => "value is too long".to_owned(),
            max => format!("may not be more than {}", counted(max, "byte")),
        };
        Self::new(ErrorKind::TooLong, field, detail)
    }

    /// Creates the error of a value that has too many characters. A negative limit is not shown.
    pub fn too_long_characters(field: impl Into<String>, max_characters: i64) -> Self {
        let detail = match max_characters {
            ..=-1 => "value is too long".to_owned(),
            max => format!("may not be more than {}", counted(max, "character")),
        };
        Self::new(ErrorKind::TooLong, field, detail)
    }

    /// Creates the error of a value that has too few characters.
    pub fn too_short(field: impl Into<String>, min_characters: i64) -> Self {
        let detail = format!("must be at least {}", counted(min_characters, "character"));
        Self::new(ErrorKind::TooShort, field, detail)
    }

    /// Creates the error of a list or map that has too many items. A negative limit is not shown.
    pub fn too_many(field: impl Into<String>, actual: usize, max: i64) -> Self {
        let detail = match max {
            ..=-1 => "has too many items".to_owned(),
            max => format!("must have at most {}", counted(max, "item")),
        };
        Self::new(ErrorKind::TooMany, field, detail).with_value(&actual)
    }

    /// Creates the error of a list or map that has too few items.
    pub fn too_few(field: impl Into<String>, actual: usize, min: i64) -> Self {
        let detail = format!("must have at least {}", counted(min, "item"));
        Self::new(ErrorKind::TooFew, field, detail).with_value(&actual)
    }

    /// Returns the way in which the field is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the path of the field, such as `spec.ports[0].name`.
    ///
    /// It is `<nil>` where the API server does not name a field.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the message without the field.
    pub fn body(&self) -> String {
        let mut body = self.kind.words().1.to_owned();
        let parts = self.value.iter().chain([&self.detail]);
        for part in parts.filter(|part| !part.is_empty()) {
            body.push_str(": ");
            body.push_str(part);
        }
        body
    }
}

impl Display for FieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.field, self.body())
    }
}

impl Error for FieldError {}

/// Returns a count with its noun, such as `1 byte` or `2 bytes`.
fn counted(count: i64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Joins errors to one message, as the API server does in the `message` of a `Status`.
///
/// Equal errors are shown once. More than one error is put in brackets.
pub fn joined(errors: &[FieldError]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for error in errors {
        let text = error.to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    match texts.as_slice() {
        [single] => single.clone(),
        texts => format!("[{}]", texts.join(", ")),
    }
}

/// A rule that only the API server can evaluate, because `kgen-cel` does not know a function or a type in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The path of the value that the rule is on.
    pub field: String,
    /// The text of the rule.
    pub rule: String,
}

/// The result of a validation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Report {
    /// The errors, in the order in which the API server finds them.
    pub errors: Vec<FieldError>,
    /// Rules that an unchanged value has broken before. The API server only warns about them.
    pub warnings: Vec<FieldError>,
    /// The rules that could not be evaluated. The API server may find further errors with them.
    pub undecided: Vec<Undecided>,
}

impl Report {
    /// Returns whether there is neither an error nor an undecided rule.
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty() && self.undecided.is_empty()
    }

    /// Returns all errors as one message, as in the `message` of a `Status`.
    pub fn message(&self) -> String {
        joined(&self.errors)
    }
}
