//! Errors of single fields, with the words of the Kubernetes API machinery.

use std::error::Error;
use std::fmt::{self, Display};

use serde_json::Value;

use crate::go_text::{quoted, shown};

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
    /// The value is too long.
    TooLong,
    /// The list or map has too many items.
    TooMany,
    /// The API server could not validate the value.
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
            Self::TooLong => ("FieldValueTooLong", "Too long"),
            Self::TooMany => ("FieldValueTooMany", "Too many"),
            Self::Internal => ("InternalError", "Internal error"),
        }
    }
}

/// An error of one field. It is displayed as the API server shows it:
/// `spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    kind: ErrorKind,
    field: String,
    /// The value as text, for the kinds that show it.
    value: Option<String>,
    detail: String,
}

impl FieldError {
    /// Returns an error that does not show the value.
    pub(crate) fn new(kind: ErrorKind, field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            kind,
            field: field.into(),
            value: None,
            detail: detail.into(),
        }
    }

    pub(crate) fn with_value(mut self, value: &Value) -> Self {
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
        Self::new(ErrorKind::Invalid, field, detail).with_value(value)
    }

    pub(crate) fn invalid_text(field: impl Into<String>, text: &str, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, field, detail).with_text(text)
    }

    pub(crate) fn required(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Required, field, detail)
    }

    pub(crate) fn too_long(field: impl Into<String>, most: i64) -> Self {
        let detail = match most {
            ..=-1 => "value is too long".to_owned(),
            1 => "may not be more than 1 byte".to_owned(),
            most => format!("may not be more than {most} bytes"),
        };
        Self::new(ErrorKind::TooLong, field, detail)
    }

    pub(crate) fn too_many(field: impl Into<String>, actual: usize, most: i64) -> Self {
        let detail = match most {
            ..=-1 => "has too many items".to_owned(),
            1 => "must have at most 1 item".to_owned(),
            most => format!("must have at most {most} items"),
        };
        let mut error = Self::new(ErrorKind::TooMany, field, detail);
        error.value = Some(actual.to_string());
        error
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
        if let Some(value) = &self.value {
            body.push_str(": ");
            body.push_str(value);
        }
        if !self.detail.is_empty() {
            body.push_str(": ");
            body.push_str(&self.detail);
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
