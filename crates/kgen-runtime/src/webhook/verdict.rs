//! The verdict of a handler: it allows a request or denies it for any number of reasons, with optional warnings.

use std::collections::BTreeMap;

use serde::Serialize;

use super::field_path::FieldPath;
use super::{FieldError, FieldErrorKind};

/// The answer of a handler. A new verdict allows the request. Each added error denies it, and all errors are reported.
///
/// ```
/// use kgen_runtime::webhook::{Verdict, field};
///
/// let mut verdict = Verdict::default();
/// let spec = field("spec");
/// verdict.invalid(spec.child("size"), 0, "must be at least 1");
/// verdict.not_supported(spec.child("mode"), "fast", &["Safe", "Slow"]);
/// verdict.warn("spec.legacy is deprecated");
///
/// assert!(!verdict.is_allowed());
/// let messages: Vec<String> = verdict.errors().iter().map(ToString::to_string).collect();
/// assert_eq!(messages, [
///     "spec.size: Invalid value: 0: must be at least 1",
///     r#"spec.mode: Unsupported value: "fast": supported values: "Safe", "Slow""#,
/// ]);
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[must_use = "a verdict counts only if the handler returns it"]
pub struct Verdict {
    errors: Vec<FieldError>,
    denials: Vec<String>,
    failures: Vec<String>,
    warnings: Vec<String>,
    audit_annotations: BTreeMap<String, String>,
}

impl Verdict {
    /// Returns a verdict that denies the request for a reason that is not about a field.
    pub fn denied(reason: impl Into<String>) -> Self {
        let mut verdict = Self::default();
        verdict.deny(reason);
        verdict
    }

    /// Adds an error for a malformed value or a value that is out of range: `spec.size: Invalid value: 0: must be at least 1`.
    pub fn invalid(&mut self, field: impl Into<FieldPath>, value: impl Serialize, detail: impl Into<String>) {
        self.push(FieldError::new(FieldErrorKind::Invalid, field.into(), detail).with_value(&value));
    }

    /// Adds an error for a missing value: `spec.image: Required value: …`.
    pub fn required(&mut self, field: impl Into<FieldPath>, detail: impl Into<String>) {
        self.push(FieldError::new(FieldErrorKind::Required, field.into(), detail));
    }

    /// Adds an error for a value that is not allowed under these conditions: `spec.port: Forbidden: …`.
    pub fn forbidden(&mut self, field: impl Into<FieldPath>, detail: impl Into<String>) {
        self.push(FieldError::new(FieldErrorKind::Forbidden, field.into(), detail));
    }

    /// Adds an error for a value that is not in a list of supported values: `spec.mode: Unsupported value: "x": supported values: "a", "b"`.
    pub fn not_supported<S: AsRef<str>>(
        &mut self,
        field: impl Into<FieldPath>,
        value: impl Serialize,
        supported: &[S],
    ) {
        self.push(FieldError::not_supported(field.into(), &value, supported));
    }

    /// Adds an error for a value that is not unique: `spec.ports[1].name: Duplicate value: "http"`.
    pub fn duplicate(&mut self, field: impl Into<FieldPath>, value: impl Serialize) {
        self.push(FieldError::new(FieldErrorKind::Duplicate, field.into(), "").with_value(&value));
    }

    /// Adds an error for a reference to an object that does not exist: `spec.volume: Not found: "data"`.
    pub fn not_found(&mut self, field: impl Into<FieldPath>, value: impl Serialize) {
        self.push(FieldError::new(FieldErrorKind::NotFound, field.into(), "").with_value(&value));
    }

    /// Adds an error for a value of the wrong type: `spec.size: Invalid value: "x": …`. Like [`Self::invalid`], but for
    /// fields of any type that code interprets.
    pub fn type_invalid(
        &mut self,
        field: impl Into<FieldPath>,
        value: impl Serialize,
        detail: impl Into<String>,
    ) {
        self.push(FieldError::new(FieldErrorKind::TypeInvalid, field.into(), detail).with_value(&value));
    }

    /// Adds an error for a value with too many bytes: `spec.name: Too long: may not be more than 63 bytes`. The value is not shown.
    pub fn too_long(&mut self, field: impl Into<FieldPath>, max_bytes: usize) {
        self.push(FieldError::too_long(field.into(), limit(max_bytes)));
    }

    /// Adds an error for a value with too many characters: `spec.name: Too long: may not be more than 63 characters`. The value is not shown.
    pub fn too_long_characters(&mut self, field: impl Into<FieldPath>, max_characters: usize) {
        self.push(FieldError::too_long_characters(
            field.into(),
            limit(max_characters),
        ));
    }

    /// Adds an error for a value with too few characters: `spec.name: Too short: must be at least 3 characters`.
    pub fn too_short(&mut self, field: impl Into<FieldPath>, min_characters: usize) {
        self.push(FieldError::too_short(field.into(), limit(min_characters)));
    }

    /// Adds an error for a list with too many items: `spec.ports: Too many: 17: must have at most 16 items`.
    pub fn too_many(&mut self, field: impl Into<FieldPath>, actual: usize, max: usize) {
        self.push(FieldError::too_many(field.into(), actual, limit(max)));
    }

    /// Adds an error for a list with too few items: `spec.ports: Too few: 0: must have at least 1 item`.
    pub fn too_few(&mut self, field: impl Into<FieldPath>, actual: usize, min: usize) {
        self.push(FieldError::too_few(field.into(), actual, limit(min)));
    }

    /// Adds an error for a field that could not be checked: `spec.secret: Internal error: …`.
    pub fn internal_error(&mut self, field: impl Into<FieldPath>, detail: impl Into<String>) {
        self.push(FieldError::new(FieldErrorKind::Internal, field.into(), detail));
    }

    /// Denies the request for a reason that is not about a field. The response is 403 Forbidden.
    pub fn deny(&mut self, reason: impl Into<String>) {
        self.denials.push(reason.into());
    }

    /// Denies the request because it could not be checked, for example because a lookup failed. The response is
    /// 500 InternalError, so that clients can retry.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.failures.push(reason.into());
    }

    /// Adds a warning for the client, even if the request is allowed; kubectl prints `Warning: …`. The API server truncates a
    /// warning after 256 characters, and drops warnings after a total of 4096.
    pub fn warn(&mut self, warning: impl Into<String>) {
        self.warnings.push(warning.into());
    }

    /// Adds to the audit log of the API server, under the name of the webhook and this key.
    pub fn audit(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.audit_annotations.insert(key.into(), value.into());
    }

    /// Adds all errors, warnings and annotations of another verdict, for example one for a part of the object.
    pub fn extend(&mut self, other: Self) {
        self.errors.extend(other.errors);
        self.denials.extend(other.denials);
        self.failures.extend(other.failures);
        self.warnings.extend(other.warnings);
        self.audit_annotations.extend(other.audit_annotations);
    }

    /// Returns whether the request is allowed so far.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.errors.is_empty() && self.denials.is_empty() && self.failures.is_empty()
    }

    /// Returns the errors of fields, in the order in which they were added.
    #[must_use]
    pub fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    /// Returns the reasons that are not about a field.
    #[must_use]
    pub fn denials(&self) -> &[String] {
        &self.denials
    }

    /// Returns the reasons why the request could not be checked.
    #[must_use]
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// Returns the warnings.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the audit annotations.
    #[must_use]
    pub fn audit_annotations(&self) -> &BTreeMap<String, String> {
        &self.audit_annotations
    }

    pub(super) fn push(&mut self, error: FieldError) {
        self.errors.push(error);
    }
}

/// Converts a limit to the type of Kubernetes.
fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
