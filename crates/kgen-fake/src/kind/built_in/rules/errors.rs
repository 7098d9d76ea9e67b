//! The errors that rules share.

use kgen_schema::{ErrorKind, FieldError, names};
use serde::Serialize;
use serde_json::Value;

pub(super) type Errors = Vec<FieldError>;

pub(super) const NOT_NEGATIVE: &str = "must be greater than or equal to 0";
pub(super) const PORT: &str = "must be between 1 and 65535, inclusive";

pub(super) fn invalid(
    errors: &mut Errors,
    field: impl Into<String>,
    value: &(impl Serialize + ?Sized),
    detail: impl Into<String>,
) {
    errors.push(FieldError::new(ErrorKind::Invalid, field, detail).with_value(value));
}

pub(super) fn required(errors: &mut Errors, field: impl Into<String>, detail: &str) {
    errors.push(FieldError::new(ErrorKind::Required, field, detail));
}

pub(super) fn forbidden(errors: &mut Errors, field: impl Into<String>, detail: impl Into<String>) {
    errors.push(FieldError::new(ErrorKind::Forbidden, field, detail));
}

pub(super) fn duplicate(errors: &mut Errors, field: impl Into<String>, value: &(impl Serialize + ?Sized)) {
    errors.push(FieldError::new(ErrorKind::Duplicate, field, "").with_value(value));
}

/// Refuses a text that is not one of the supported ones. A missing text is required.
pub(super) fn one_of(errors: &mut Errors, field: impl Into<String>, value: &str, supported: &[&str]) {
    if value.is_empty() {
        required(errors, field, "");
    } else if !supported.contains(&value) {
        errors.push(FieldError::not_supported(field, value, supported));
    }
}

/// Refuses a change of a field.
pub(super) fn unchanged(errors: &mut Errors, field: &str, new: Option<&Value>, old: Option<&Value>) {
    if is_set(new) != is_set(old) || (is_set(new) && new != old) {
        let value = new.cloned().unwrap_or_default();
        invalid(errors, field, &value, "field is immutable");
    }
}

fn is_set(value: Option<&Value>) -> bool {
    value.is_some_and(|value| !is_empty(value))
}

/// Refuses negative numbers in the fields of an object.
pub(super) fn not_negative(errors: &mut Errors, object: &Value, path: &str, keys: &[&str]) {
    for key in keys {
        if let Some(number) = object
            .get(key)
            .and_then(Value::as_i64)
            .filter(|number| *number < 0)
        {
            invalid(errors, format!("{path}.{key}"), &number, NOT_NEGATIVE);
        }
    }
}

/// Refuses a name with mistakes.
pub(super) fn named(errors: &mut Errors, field: &str, name: &str, mistakes: Vec<String>) {
    for mistake in mistakes {
        invalid(errors, field, name, mistake);
    }
}

pub(super) fn text<'o>(object: &'o Value, key: &str) -> &'o str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn items<'o>(object: &'o Value, key: &str) -> &'o [Value] {
    object
        .get(key)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

pub(super) fn has(object: &Value, key: &str) -> bool {
    object.get(key).is_some_and(|value| !value.is_null())
}

pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(entries) => entries.is_empty(),
        Value::Array(items) => items.is_empty(),
        other => other.is_null(),
    }
}

/// Checks labels, or what is like labels.
pub(super) fn labels(errors: &mut Errors, labels: Option<&Value>, field: &str) {
    for (key, value) in labels.and_then(Value::as_object).into_iter().flatten() {
        named(errors, field, key, names::key_mistakes(key));
        let value = value.as_str().unwrap_or_default();
        named(errors, field, value, names::value_mistakes(value));
    }
}

/// Checks a label selector. Returns whether it can be evaluated.
pub(super) fn selector(errors: &mut Errors, selector: &Value, field: &str) -> bool {
    let before = errors.len();
    labels(
        errors,
        selector.get("matchLabels"),
        &format!("{field}.matchLabels"),
    );
    for (index, requirement) in items(selector, "matchExpressions").iter().enumerate() {
        let field = format!("{field}.matchExpressions[{index}]");
        let values = items(requirement, "values");
        match text(requirement, "operator") {
            "In" | "NotIn" if values.is_empty() => {
                let detail = "must be specified when `operator` is 'In' or 'NotIn'";
                required(errors, format!("{field}.values"), detail);
            }
            "In" | "NotIn" => {}
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                forbidden(errors, format!("{field}.values"), detail);
            }
            "Exists" | "DoesNotExist" => {}
            other => invalid(
                errors,
                format!("{field}.operator"),
                other,
                "not a valid selector operator",
            ),
        }
        let key = text(requirement, "key");
        named(errors, &format!("{field}.key"), key, names::key_mistakes(key));
        for (position, value) in values.iter().enumerate() {
            let value = value.as_str().unwrap_or_default();
            let field = format!("{field}.values[{position}]");
            named(errors, &field, value, names::value_mistakes(value));
        }
    }
    errors.len() == before
}

/// Checks the number of a port.
pub(super) fn port_number(errors: &mut Errors, field: impl Into<String>, number: i64) {
    if !(1..=65535).contains(&number) {
        invalid(errors, field, &number, PORT);
    }
}

/// Checks a port that is a number or a name.
pub(super) fn port(errors: &mut Errors, field: &str, port: Option<&Value>) {
    match port {
        Some(Value::String(name)) => named(errors, field, name, port_name_mistakes(name)),
        port => port_number(errors, field, port.and_then(Value::as_i64).unwrap_or(0)),
    }
}

/// Returns the mistakes in the name of a port, as `validation.IsValidPortName` does.
pub(super) fn port_name_mistakes(name: &str) -> Vec<String> {
    let mut mistakes = Vec::new();
    if name.len() > 15 {
        mistakes.push("must be no more than 15 characters".to_owned());
    }
    if !name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    {
        mistakes.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)".to_owned());
    }
    if !name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        mistakes.push("must contain at least one letter (a-z)".to_owned());
    }
    if name.contains("--") {
        mistakes.push("must not contain consecutive hyphens".to_owned());
    }
    if name.starts_with('-') || name.ends_with('-') {
        mistakes.push("must not begin or end with a hyphen".to_owned());
    }
    mistakes
}

/// A number or a percentage.
pub(super) struct Share {
    pub(super) value: i64,
    is_percent: bool,
}

/// Checks a number or a percentage that is not negative. Returns it.
pub(super) fn share(errors: &mut Errors, field: &str, value: Option<&Value>) -> Share {
    match value {
        Some(Value::String(text)) => {
            let number = text
                .strip_suffix('%')
                .filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
            match number {
                Some(digits) => Share {
                    value: digits.parse().unwrap_or(i64::MAX),
                    is_percent: true,
                },
                None => {
                    let detail = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or \
                                  '93%', regex used for validation is '[0-9]+%')";
                    invalid(errors, field, text, detail);
                    Share {
                        value: text.parse().unwrap_or(0),
                        is_percent: false,
                    }
                }
            }
        }
        value => {
            let number = value.and_then(Value::as_i64).unwrap_or(0);
            if number < 0 {
                invalid(errors, field, &number, NOT_NEGATIVE);
            }
            Share {
                value: number,
                is_percent: false,
            }
        }
    }
}

impl Share {
    /// Refuses more than everything.
    pub(super) fn is_not_more_than_all(&self, errors: &mut Errors, field: &str, value: Option<&Value>) {
        if self.is_percent && self.value > 100 {
            let value = value.cloned().unwrap_or_default();
            invalid(errors, field, &value, "must not be greater than 100%");
        }
    }
}

/// Immutable data cannot change, and cannot become mutable.
pub(super) fn immutable_data(object: &Value, old: Option<&Value>, parts: &[&str], errors: &mut Errors) {
    let Some(old) = old.filter(|old| old.get("immutable") == Some(&Value::Bool(true))) else {
        return;
    };
    let detail = "field is immutable when `immutable` is set";
    if object.get("immutable") != Some(&Value::Bool(true)) {
        errors.push(FieldError::new(ErrorKind::Forbidden, "immutable", detail));
    }
    for part in parts {
        if object.get(part) != old.get(part) {
            errors.push(FieldError::new(ErrorKind::Forbidden, *part, detail));
        }
    }
}
