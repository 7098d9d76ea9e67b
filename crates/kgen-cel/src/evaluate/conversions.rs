//! Conversions between types.

use crate::go_text::{Float, parse_float, printed_float};
use crate::go_time::{Timestamp, parse_duration};

use super::operators::overflow;
use super::{EvaluateError, Outcome, Value, fail, fail_alike, no_such_overload};

/// The bounds within which a floating-point number can be converted to an integer, both exclusive.
const INT_BOUND: f64 = 9_223_372_036_854_775_808.0;
const UINT_BOUND: f64 = 18_446_744_073_709_551_616.0;

/// Calls a function. Returns `None` if it is not a conversion.
pub(super) fn call(function: &str, values: &[Value]) -> Option<Outcome> {
    let [value] = values else { return None };
    let convert = match function {
        "bool" => to_bool,
        "bytes" => to_bytes,
        "double" => to_double,
        "duration" => to_duration,
        "int" => to_int,
        "string" => to_text,
        "timestamp" => to_timestamp,
        "uint" => to_uint,
        _ => return None,
    };
    Some(match value {
        Value::Unknown => Err(EvaluateError::NotKnown),
        value => convert(value),
    })
}

/// Fails because a text does not have the form of another type.
fn not_convertible(message: String, wanted: &str) -> Outcome {
    fail(
        message,
        format!("type conversion error from 'string' to '{wanted}'"),
    )
}

fn to_int(value: &Value) -> Outcome {
    match value {
        Value::Int(_) => Ok(value.clone()),
        Value::Uint(value) => {
            i64::try_from(*value).map_or_else(|_| overflow("integer overflow"), |value| Ok(Value::Int(value)))
        }
        Value::Double(value) if value.abs() < INT_BOUND => Ok(Value::Int(*value as i64)),
        Value::Double(_) => overflow("integer overflow"),
        Value::String(text) => match text.parse() {
            Ok(value) => Ok(Value::Int(value)),
            Err(_) => not_convertible(format!("`{text}` is not an integer"), "int"),
        },
        Value::Timestamp(timestamp) => Ok(Value::Int(timestamp.unix_seconds())),
        Value::Duration(nanoseconds) => Ok(Value::Int(*nanoseconds)),
        _ => no_such_overload(),
    }
}

fn to_uint(value: &Value) -> Outcome {
    let too_large = || overflow("unsigned integer overflow");
    match value {
        Value::Uint(_) => Ok(value.clone()),
        Value::Int(value) => {
            u64::try_from(*value).map_or_else(|_| too_large(), |value| Ok(Value::Uint(value)))
        }
        Value::Double(value) if (0.0..UINT_BOUND).contains(value) => Ok(Value::Uint(*value as u64)),
        Value::Double(_) => too_large(),
        Value::String(text) if !text.starts_with('+') => match text.parse() {
            Ok(value) => Ok(Value::Uint(value)),
            Err(_) => not_convertible(format!("`{text}` is not an unsigned integer"), "uint"),
        },
        Value::String(text) => not_convertible(format!("`{text}` is not an unsigned integer"), "uint"),
        _ => no_such_overload(),
    }
}

fn to_double(value: &Value) -> Outcome {
    match value {
        Value::Double(_) => Ok(value.clone()),
        Value::Int(value) => Ok(Value::Double(*value as f64)),
        Value::Uint(value) => Ok(Value::Double(*value as f64)),
        Value::String(text) => match parse_float(text) {
            Some(Float::Number(value)) => Ok(Value::Double(value)),
            Some(Float::Hexadecimal) => Err(EvaluateError::NotKnown),
            None => not_convertible(format!("`{text}` is not a number"), "double"),
        },
        _ => no_such_overload(),
    }
}

fn to_bool(value: &Value) -> Outcome {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        Value::String(text) => match text.as_ref() {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(Value::Bool(false)),
            _ => not_convertible(format!("`{text}` is neither `true` nor `false`"), "bool"),
        },
        _ => no_such_overload(),
    }
}

fn to_bytes(value: &Value) -> Outcome {
    match value {
        Value::Bytes(_) => Ok(value.clone()),
        Value::String(text) => Ok(Value::Bytes(text.as_bytes().into())),
        _ => no_such_overload(),
    }
}

fn to_duration(value: &Value) -> Outcome {
    match value {
        Value::Duration(_) => Ok(value.clone()),
        // Some versions of Kubernetes declare this conversion, and none of them can carry it out.
        Value::Int(_) => fail(
            "an integer cannot be converted to a duration",
            "type conversion error from 'int' to 'google.protobuf.Duration'",
        ),
        Value::String(text) => match parse_duration(text) {
            Some(duration) => Ok(Value::Duration(duration)),
            None => not_convertible(format!("`{text}` is not a duration"), "google.protobuf.Duration"),
        },
        _ => no_such_overload(),
    }
}

fn to_timestamp(value: &Value) -> Outcome {
    match value {
        Value::Timestamp(_) => Ok(value.clone()),
        Value::Int(seconds) => match Timestamp::from_unix_seconds(*seconds) {
            Some(timestamp) => Ok(Value::Timestamp(timestamp)),
            None => fail("the time is out of range", "timestamp overflow"),
        },
        Value::String(text) => match Timestamp::parse(text) {
            Some(timestamp) => match timestamp.in_range() {
                Some(timestamp) => Ok(Value::Timestamp(timestamp)),
                None => fail("the time is out of range", "timestamp overflow"),
            },
            None => not_convertible(format!("`{text}` is not a time"), "google.protobuf.Timestamp"),
        },
        _ => no_such_overload(),
    }
}

fn to_text(value: &Value) -> Outcome {
    match value {
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Value::text(text)),
            Err(_) => fail_alike("invalid UTF-8 in bytes, cannot convert to string"),
        },
        value => match text_of(value) {
            Some(text) => Ok(Value::text(&text)),
            None => no_such_overload(),
        },
    }
}

/// Returns the text that a simple value is converted to.
pub(super) fn text_of(value: &Value) -> Option<String> {
    Some(match value {
        Value::String(text) => text.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => printed_float(*value),
        Value::Bool(value) => value.to_string(),
        Value::Timestamp(timestamp) => timestamp.to_string(),
        Value::Duration(nanoseconds) => seconds(*nanoseconds),
        Value::Bytes(bytes) => String::from_utf8(bytes.to_vec()).ok()?,
        Value::Type(name) => (*name).to_owned(),
        _ => return None,
    })
}

/// Returns a duration in seconds, in floating point like Go.
fn seconds(nanoseconds: i64) -> String {
    const SECOND: i64 = 1_000_000_000;
    let seconds = (nanoseconds / SECOND) as f64 + (nanoseconds % SECOND) as f64 / 1e9;
    format!("{seconds}s")
}
