//! The meaning of plain scalars in YAML 1.1, as go-yaml reads them for Kubernetes.
//!
//! `yes` is true, `0x10` is 16 and `1_000` is 1000. Dates stay strings, because Kubernetes' JSON has no dates.

use serde_json::{Number, Value};

/// Returns the value of a plain scalar.
pub(super) fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Value::Bool(true);
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Value::Bool(false);
        }
        _ => {}
    }
    if text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number)
    } else {
        Value::String(text.to_owned())
    }
}

/// Returns the value of a scalar with an explicit tag of YAML, if the tag is known.
pub(super) fn tagged(tag: &str, text: &str) -> Option<Value> {
    match tag {
        "str" | "binary" | "timestamp" => Some(Value::String(text.to_owned())),
        "null" => Some(Value::Null),
        "bool" | "int" | "float" => Some(resolve(text)),
        _ => None,
    }
}

fn number(text: &str) -> Option<Number> {
    let digits = text.replace('_', "");
    if let Some(value) = integer(&digits) {
        return Some(value);
    }
    is_decimal(&digits)
        .then(|| digits.parse::<f64>().ok())
        .flatten()
        .and_then(Number::from_f64)
}

/// Decimal, `0x`, `0o`, `0b`, and a leading zero for octal.
fn integer(text: &str) -> Option<Number> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = if let Some(rest) = lower.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = lower.strip_prefix("0o") {
        (8, rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (8, lower.get(1..)?)
    } else {
        (10, lower.as_str())
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let magnitude = i128::from_str_radix(digits, radix).ok()?;
    let value = if negative { -magnitude } else { magnitude };
    if let Ok(value) = i64::try_from(value) {
        return Some(value.into());
    }
    u64::try_from(value).ok().map(Number::from)
}

/// `.5`, `5`, `5.`, `5.5`, each with or without an exponent.
fn is_decimal(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_exponent = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && all_digits(digits)
    });
    has_exponent && all_digits(whole) && all_digits(fraction) && !(whole.is_empty() && fraction.is_empty())
}
