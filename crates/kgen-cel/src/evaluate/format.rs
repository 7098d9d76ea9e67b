//! `format` of strings, with the clauses and the locale of `cel-go`, which is American English.

use std::fmt::Write as _;

use crate::go_text::{printed_float, quoted};

use super::conversions::text_of;
use super::meter::Meter;
use super::{EvaluateError, Outcome, Value, fail_alike};

/// The digits after the point, if the clause does not state them.
const PRECISION: usize = 6;
/// The most digits after the point that are printed.
const MOST_PRECISION: usize = 1_000;

/// Calls `format`. Returns `None` for other functions.
pub(super) fn call(function: &str, values: &[Value], meter: &mut Meter) -> Option<Outcome> {
    match (function, values) {
        ("format", [Value::String(text), Value::List(list)]) => Some(format(text, list.items(), meter)),
        _ => None,
    }
}

fn format(text: &str, arguments: &[Value], meter: &mut Meter) -> Outcome {
    let mut result = String::new();
    let mut arguments = arguments.iter().enumerate();
    let mut next = 0;
    let mut rest = text;
    while let Some((before, clause)) = rest.split_once('%') {
        result.push_str(before);
        if let Some(behind) = clause.strip_prefix('%') {
            result.push('%');
            rest = behind;
            continue;
        }
        let Some((index, argument)) = arguments.next() else {
            return fail_alike(format!("index {next} out of range"));
        };
        next = index + 1;
        if clause.is_empty() {
            return fail_alike("unexpected end of string");
        }
        let (precision, behind) = precision(clause)?;
        let Some(letter) = behind.chars().next() else {
            return Err(EvaluateError::NotKnown);
        };
        let shown = match letter {
            's' => as_text(argument, meter),
            'd' => as_decimal(argument),
            'f' => as_fixed(argument, precision.unwrap_or(PRECISION)),
            'e' => as_scientific(argument, precision.unwrap_or(PRECISION)),
            'b' => as_binary(argument),
            'x' | 'X' => as_hexadecimal(argument, letter == 'X'),
            'o' => as_octal(argument),
            // The API server reads a byte.
            _ if !letter.is_ascii() => return Err(EvaluateError::NotKnown),
            _ => {
                return fail_alike(format!(
                    "could not parse formatting clause: unrecognized formatting clause \"{letter}\""
                ));
            }
        };
        let shown = match shown {
            Ok(shown) => shown,
            Err(Refusal::Message(message)) => {
                return fail_alike(format!("error during formatting: {message}"));
            }
            Err(Refusal::NotKnown) => return Err(EvaluateError::NotKnown),
        };
        meter.allocate(shown.len())?;
        result.push_str(&shown);
        rest = behind.get(1..).unwrap_or_default();
    }
    result.push_str(rest);
    meter.allocate(result.len())?;
    Ok(Value::text(&result))
}

/// Reads the digits after a point. Returns the rest of the clause.
fn precision(clause: &str) -> Outcome<(Option<usize>, &str)> {
    let context = "could not parse formatting clause: error while parsing precision:";
    let Some(digits) = clause.strip_prefix('.') else {
        return Ok((None, clause));
    };
    let rest = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = digits.get(..digits.len() - rest.len()).unwrap_or_default();
    if rest.is_empty() {
        return fail_alike(format!("{context} could not find end of precision specifier"));
    }
    match digits.parse::<i64>() {
        Ok(precision) => match usize::try_from(precision) {
            Ok(precision) if precision <= MOST_PRECISION => Ok((Some(precision), rest)),
            _ => Err(EvaluateError::NotKnown),
        },
        Err(_) => {
            let reason = if digits.is_empty() {
                "invalid syntax"
            } else {
                "value out of range"
            };
            fail_alike(format!(
                "{context} error while converting precision to integer: strconv.Atoi: parsing {}: {reason}",
                quoted(digits)
            ))
        }
    }
}

/// Why a value cannot be formatted.
enum Refusal {
    Message(String),
    NotKnown,
}

type Shown = Result<String, Refusal>;

/// Refuses the type of a value.
fn refuse(value: &Value, message: &str) -> Shown {
    Err(match value.type_name() {
        Some(name) => Refusal::Message(format!("{message}, was given {name}")),
        None => Refusal::NotKnown,
    })
}

fn as_text(value: &Value, meter: &mut Meter) -> Shown {
    match value {
        Value::List(_) | Value::Map(_) | Value::Object(_) => literal(value, meter),
        Value::Null => Ok("null".to_owned()),
        value => match text_of(value) {
            Some(text) => Ok(text),
            None if matches!(value, Value::Bytes(_)) => Err(Refusal::NotKnown),
            None => refuse(
                value,
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, \
                 durations, and timestamps",
            ),
        },
    }
}

/// Returns a value as a literal of CEL, for the inside of lists and maps.
fn literal(value: &Value, meter: &mut Meter) -> Shown {
    // Lists can share their items, so the text can be far larger than the value.
    meter.step().map_err(|_| Refusal::NotKnown)?;
    let shown = match value {
        Value::List(list) => {
            let items = list
                .items()
                .iter()
                .map(|item| literal(item, meter))
                .collect::<Result<Vec<_>, _>>()?;
            format!("[{}]", items.join(", "))
        }
        Value::Map(entries) => {
            entry_literals(entries.iter().map(|(key, value)| (key.clone(), value)), meter)?
        }
        Value::Object(fields) => {
            let visible = fields.iter().filter(|(name, _)| !name.starts_with('#'));
            entry_literals(visible.map(|(name, value)| (Value::text(name), value)), meter)?
        }
        Value::String(text) => quoted(text),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => format!("b{}", quoted(text)),
            Err(_) => return Err(Refusal::NotKnown),
        },
        Value::Double(value) if value.is_finite() => format!("{value:.6}"),
        Value::Double(value) => format!("\"{}\"", printed_float(*value)),
        Value::Timestamp(_) => format!("timestamp({})", quoted(&as_text(value, meter)?)),
        Value::Duration(_) => format!("duration({})", quoted(&as_text(value, meter)?)),
        Value::Int(_) | Value::Uint(_) | Value::Bool(_) | Value::Null | Value::Type(_) => {
            as_text(value, meter)?
        }
        value => match value.type_name() {
            Some(name) => return Err(Refusal::Message(format!("no formatting function for {name}"))),
            None => return Err(Refusal::NotKnown),
        },
    };
    meter.allocate(shown.len()).map_err(|_| Refusal::NotKnown)?;
    Ok(shown)
}

/// Returns a map as a literal, sorted by its keys.
fn entry_literals<'v>(entries: impl Iterator<Item = (Value, &'v Value)>, meter: &mut Meter) -> Shown {
    let mut shown = Vec::new();
    for (key, value) in entries {
        let key = match &key {
            Value::String(_) | Value::Bool(_) | Value::Int(_) | Value::Uint(_) => literal(&key, meter)?,
            key => match key.type_name() {
                Some(name) => {
                    let message = format!("no formatting function for map key of type {name}");
                    return Err(Refusal::Message(message));
                }
                None => return Err(Refusal::NotKnown),
            },
        };
        shown.push((key, literal(value, meter)?));
    }
    shown.sort_by(|(left, _), (right, _)| left.cmp(right));
    let entries: Vec<_> = shown
        .iter()
        .map(|(key, value)| format!("{key}:{value}"))
        .collect();
    Ok(format!("{{{}}}", entries.join(", ")))
}

fn as_decimal(value: &Value) -> Shown {
    match value {
        Value::Int(value) => Ok(value.to_string()),
        Value::Uint(value) => Ok(value.to_string()),
        value => refuse(value, "decimal clause can only be used on integers"),
    }
}

/// Returns the number of a value that `%f` and `%e` can print. Three strings count as numbers.
fn float(value: &Value, clause: &str) -> Result<f64, Refusal> {
    Ok(match value {
        Value::Double(value) => *value,
        Value::String(text) if text.as_ref() == "NaN" => f64::NAN,
        Value::String(text) if text.as_ref() == "Infinity" => f64::INFINITY,
        Value::String(text) if text.as_ref() == "-Infinity" => f64::NEG_INFINITY,
        value => {
            refuse(value, &format!("{clause} clause can only be used on doubles"))?;
            f64::NAN
        }
    })
}

fn infinite(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value > 0.0 {
        "∞".to_owned()
    } else {
        "-∞".to_owned()
    }
}

/// Removes the sign of zero, which is printed without one.
fn without_sign_of_zero(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}

fn as_fixed(value: &Value, precision: usize) -> Shown {
    let value = float(value, "fixed-point")?;
    if !value.is_finite() {
        return Ok(infinite(value));
    }
    let text = format!("{:.precision$}", without_sign_of_zero(value));
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut grouped = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if !fraction.is_empty() {
        grouped.push('.');
        grouped.push_str(fraction);
    }
    Ok(grouped)
}

/// Formats with an exponent. `cel-go` takes the precision for the least number of characters.
fn as_scientific(value: &Value, width: usize) -> Shown {
    let value = float(value, "scientific")?;
    if !value.is_finite() {
        return Ok(format!("{:>width$}", infinite(value)));
    }
    let value = without_sign_of_zero(value);
    let text = format!("{value:.PRECISION$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut shown = format!("{digits}×10");
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < 0 {
        shown.push('⁻');
    }
    for digit in format!("{:02}", exponent.abs()).bytes() {
        let raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        shown.extend(raised.get(usize::from(digit - b'0')));
    }
    Ok(format!("{shown:>width$}"))
}

/// Formats an integer with a sign and its digits.
fn signed(value: i64, digits: impl Fn(u64) -> String) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", digits(value.unsigned_abs()))
}

fn as_binary(value: &Value) -> Shown {
    match value {
        Value::Int(value) => Ok(signed(*value, |value| format!("{value:b}"))),
        Value::Uint(value) => Ok(format!("{value:b}")),
        Value::Bool(value) => Ok(u8::from(*value).to_string()),
        value => refuse(value, "only integers and bools can be formatted as binary"),
    }
}

fn as_hexadecimal(value: &Value, is_upper: bool) -> Shown {
    let of_bytes = |bytes: &[u8]| {
        let mut digits = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            let _ = write!(digits, "{byte:02x}");
        }
        digits
    };
    let digits = match value {
        Value::Int(value) => signed(*value, |value| format!("{value:x}")),
        Value::Uint(value) => format!("{value:x}"),
        Value::String(text) => of_bytes(text.as_bytes()),
        Value::Bytes(bytes) => of_bytes(bytes),
        value => {
            return refuse(
                value,
                "only integers, byte buffers, and strings can be formatted as hex",
            );
        }
    };
    Ok(if is_upper { digits.to_uppercase() } else { digits })
}

fn as_octal(value: &Value) -> Shown {
    match value {
        Value::Int(value) => Ok(signed(*value, |value| format!("{value:o}"))),
        Value::Uint(value) => Ok(format!("{value:o}")),
        value => refuse(value, "octal clause can only be used on integers"),
    }
}
