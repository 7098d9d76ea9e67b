//! Functions on strings. Indices count characters, as in `cel-go`.

use crate::go_regex::Patterns;

use super::meter::Meter;
use super::{EvaluateError, Outcome, Value, fail};

/// The memory that each part of a split string takes beside its text: the item and the head of its text.
const PART_BYTES: usize = size_of::<Value>() + 2 * size_of::<usize>();

/// Calls a function. Returns `None` if it is not a function on strings.
pub(super) fn call(
    function: &str,
    values: &[Value],
    patterns: &Patterns,
    meter: &mut Meter,
) -> Option<Outcome> {
    let [Value::String(text), arguments @ ..] = values else {
        return None;
    };
    let text = text.as_ref();
    Some(match (function, arguments) {
        ("contains", [Value::String(part)]) => Ok(Value::Bool(text.contains(part.as_ref()))),
        ("startsWith", [Value::String(part)]) => Ok(Value::Bool(text.starts_with(part.as_ref()))),
        ("endsWith", [Value::String(part)]) => Ok(Value::Bool(text.ends_with(part.as_ref()))),
        ("matches", [Value::String(pattern)]) => match patterns.is_match(pattern, text) {
            Some(matches) => Ok(Value::Bool(matches)),
            None => Err(EvaluateError::NotKnown),
        },
        ("lowerAscii", []) => Ok(Value::text(&text.to_ascii_lowercase())),
        ("upperAscii", []) => Ok(Value::text(&text.to_ascii_uppercase())),
        ("trim", []) => Ok(Value::text(text.trim())),
        ("charAt", [Value::Int(at)]) => character(text, *at),
        ("indexOf", [Value::String(part)]) => Ok(place(text, text.find(part.as_ref()))),
        ("lastIndexOf", [Value::String(part)]) => Ok(place(text, text.rfind(part.as_ref()))),
        ("replace", [Value::String(part), Value::String(new)]) => replace(text, part, new, meter),
        ("split", [Value::String(separator)]) if !separator.is_empty() => split(text, separator, meter),
        ("substring", [Value::Int(start)]) => {
            let end = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            if *start > end {
                return Some(fail(
                    format!("the string has no range from {start} to {end}"),
                    format!("index out of range: {start}"),
                ));
            }
            substring(text, *start, end)
        }
        ("substring", [Value::Int(start), Value::Int(end)]) => substring(text, *start, *end),
        _ => return None,
    })
}

fn replace(text: &str, part: &str, new: &str, meter: &mut Meter) -> Outcome {
    let added = text.matches(part).count().saturating_mul(new.len());
    meter.allocate(text.len().saturating_add(added))?;
    Ok(Value::text(&text.replace(part, new)))
}

fn split(text: &str, separator: &str, meter: &mut Meter) -> Outcome {
    let parts = text.matches(separator).count() + 1;
    meter.allocate(text.len().saturating_add(parts.saturating_mul(PART_BYTES)))?;
    Ok(Value::list(text.split(separator).map(Value::text).collect()))
}

fn character(text: &str, at: i64) -> Outcome {
    let count = text.chars().count();
    match usize::try_from(at) {
        // The index after the last character gives the empty string.
        Ok(at) if at == count => Ok(Value::text("")),
        Ok(at) if at < count => {
            let found: String = text.chars().skip(at).take(1).collect();
            Ok(Value::text(&found))
        }
        _ => fail(
            format!("the string has no character {at}"),
            format!("index out of range: {at}"),
        ),
    }
}

/// Converts the offset of a byte to an index in characters; -1 if there is none.
fn place(text: &str, byte: Option<usize>) -> Value {
    match byte.and_then(|byte| text.get(..byte)) {
        Some(before) => Value::count(before.chars().count()),
        None => Value::Int(-1),
    }
}

fn substring(text: &str, start: i64, end: i64) -> Outcome {
    let count = text.chars().count();
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(start), Ok(end)) if start <= end && end <= count => {
            let part: String = text.chars().skip(start).take(end - start).collect();
            Ok(Value::text(&part))
        }
        _ => {
            let server_message = if start > end {
                format!("invalid substring range. start: {start}, end: {end}")
            } else if usize::try_from(start).is_ok_and(|start| start <= count) {
                format!("index out of range: {end}")
            } else {
                format!("index out of range: {start}")
            };
            fail(
                format!("the string has no range from {start} to {end}"),
                server_message,
            )
        }
    }
}
