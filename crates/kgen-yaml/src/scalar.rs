//! The values of plain scalars, as the YAML 1.1 reader of Kubernetes has them: `yes` is true, `010` is eight, `1_000` is a
//! thousand. Dates and minutes are strings, because JSON has neither.
//!
//! Parsers of documents ask here, so that every reader of YAML agrees with the API server and with the writer.

use serde_json::{Number, Value};

use super::resolve::{is_bare_fraction, is_float};

/// Returns the value of a scalar that is written without quotes and without a tag.
///
/// Infinities and "not a number" are strings: Kubernetes refuses them, because JSON cannot have them.
#[must_use]
pub fn plain_scalar(text: &str) -> Value {
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
    let number = match text.as_bytes().first() {
        Some(b'0'..=b'9' | b'+' | b'-') => {
            let digits = text.replace('_', "");
            integer(&digits).or_else(|| is_float(text).then(|| float(&digits))?)
        }
        Some(b'.') => is_bare_fraction(text)
            .then(|| float(&text.replace('_', "")))
            .flatten(),
        _ => None,
    };
    number.map_or_else(|| Value::from(text), Value::Number)
}

/// Reads an integer with the prefixes of Go: `0x`, `0o`, `0b`, and `0` for octal numbers.
fn integer(text: &str) -> Option<Number> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let prefix = digits.get(..2).unwrap_or_default().to_ascii_lowercase();
    let (radix, digits) = match prefix.as_str() {
        "0x" => (16, digits.get(2..)?),
        "0o" => (8, digits.get(2..)?),
        // go-yaml removes `0b` and parses the rest as a separate number.
        "0b" if text.starts_with("0b-") => return signed(true, 2, digits.get(3..)?),
        "0b" => (2, digits.get(2..)?),
        _ if digits.len() > 1 && digits.starts_with('0') => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    signed(is_negative, radix, digits)
}

fn signed(is_negative: bool, radix: u32, digits: &str) -> Option<Number> {
    // The function of the standard library also takes a sign.
    if !digits.starts_with(|first: char| first.is_digit(radix)) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if is_negative {
        i64::try_from(-i128::from(magnitude)).ok().map(Number::from)
    } else {
        Some(Number::from(magnitude))
    }
}

/// Reads a float. JSON writes one without a fraction as an integer, so it is one for the API server if it fits.
fn float(text: &str) -> Option<Number> {
    let float: f64 = text.parse().ok()?;
    let shown = float.to_string();
    let whole = shown.parse::<i64>().map(Number::from).ok();
    whole
        .or_else(|| shown.parse::<u64>().map(Number::from).ok())
        .or_else(|| Number::from_f64(float))
}
