//! An error of one field, with the reasons and messages of Kubernetes.

use std::fmt;

use serde::Serialize;

use super::field_path::FieldPath;
use super::value_text::{quoted, value_text};

/// An error of a field. It is printed like an error of Kubernetes: `spec.size: Invalid value: 0: must be at least 1`.
///
/// The methods of [`Verdict`](super::Verdict) create it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FieldError {
    kind: FieldErrorKind,
    field: FieldPath,
    /// The value as text, for the kinds that show it.
    value: Option<String>,
    detail: String,
}

/// The type of an error of a field.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum FieldErrorKind {
    /// The value is malformed or out of range.
    Invalid,
    /// The value has the wrong type.
    TypeInvalid,
    /// A required value is missing.
    Required,
    /// A value is not allowed under these conditions.
    Forbidden,
    /// The value is not in the list of supported values.
    NotSupported,
    /// The value is not unique.
    Duplicate,
    /// The value refers to an object that does not exist.
    NotFound,
    /// The value is too long.
    TooLong,
    /// The value is too short.
    TooShort,
    /// The list has too many items.
    TooMany,
    /// The list has too few items.
    TooFew,
    /// The field could not be checked.
    Internal,
}

impl FieldErrorKind {
    /// Returns the `reason` of a cause in a `Status`, such as `FieldValueInvalid`.
    #[must_use]
    pub fn reason(self) -> &'static str {
        self.words().0
    }

    /// Returns the reason for programs and the words for people.
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

impl FieldError {
    /// Returns an error that does not show the value.
    pub(super) fn new(kind: FieldErrorKind, field: impl Into<FieldPath>, detail: impl Into<String>) -> Self {
        Self {
            kind,
            field: field.into(),
            value: None,
            detail: detail.into(),
        }
    }

    /// Returns the same error, with the value.
    pub(super) fn with_value(mut self, value: &(impl Serialize + ?Sized)) -> Self {
        self.value = Some(value_text(value));
        self
    }

    pub(super) fn not_supported<S: AsRef<str>>(
        field: impl Into<FieldPath>,
        value: &(impl Serialize + ?Sized),
        supported: &[S],
    ) -> Self {
        let supported: Vec<String> = supported.iter().map(|value| quoted(value.as_ref())).collect();
        let detail = if supported.is_empty() {
            String::new()
        } else {
            format!("supported values: {}", supported.join(", "))
        };
        Self::new(FieldErrorKind::NotSupported, field, detail).with_value(value)
    }

    pub(super) fn too_long(field: impl Into<FieldPath>, max_bytes: usize) -> Self {
        let detail = format!("may not be more than {}", counted(max_bytes, "byte"));
        Self::new(FieldErrorKind::TooLong, field, detail)
    }

    pub(super) fn too_long_characters(field: impl Into<FieldPath>, max_characters: usize) -> Self {
        let detail = format!("may not be more than {}", counted(max_characters, "character"));
        Self::new(FieldErrorKind::TooLong, field, detail)
    }

    pub(super) fn too_short(field: impl Into<FieldPath>, min_characters: usize) -> Self {
        let detail = format!("must be at least {}", counted(min_characters, "character"));
        Self::new(FieldErrorKind::TooShort, field, detail)
    }

    pub(super) fn too_many(field: impl Into<FieldPath>, actual: usize, max: usize) -> Self {
        let detail = format!("must have at most {}", counted(max, "item"));
        Self::new(FieldErrorKind::TooMany, field, detail).with_value(&actual)
    }

    pub(super) fn too_few(field: impl Into<FieldPath>, actual: usize, min: usize) -> Self {
        let detail = format!("must have at least {}", counted(min, "item"));
        Self::new(FieldErrorKind::TooFew, field, detail).with_value(&actual)
    }

    /// Returns the type of the error.
    #[must_use]
    pub fn kind(&self) -> FieldErrorKind {
        self.kind
    }

    /// Returns the path of the field.
    #[must_use]
    pub fn field(&self) -> &FieldPath {
        &self.field
    }

    /// Returns the message without the field: `Invalid value: 0: must be at least 1`.
    #[must_use]
    pub fn body(&self) -> String {
        let mut body = self.kind.words().1.to_owned();
        for part in self
            .value
            .iter()
            .chain([&self.detail])
            .filter(|part| !part.is_empty())
        {
            body.push_str(": ");
            body.push_str(part);
        }
        body
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.field, self.body())
    }
}

/// `1 byte`, `2 bytes`.
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
