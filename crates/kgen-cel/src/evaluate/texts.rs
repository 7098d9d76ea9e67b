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
        ("strings.quote", []) => Ok(Value::text(&quote(text))),
        ("charAt", [Value::Int(at)]) => character(text, *at),
        ("indexOf", [Value::String(part)]) => first_index(text, part, 0),
        ("indexOf", [Value::String(part), Value::Int(from)]) => first_index(text, part, *from),
        ("lastIndexOf", [Value::String(part)]) => Ok(place(text, text.rfind(part.as_ref()))),
        ("lastIndexOf", [Value::String(part), Value::Int(from)]) => last_index(text, part, *from),
        ("replace", [Value::String(part), Value::String(new)]) => replace(text, part, new, -1, meter),
        ("replace", [Value::String(part), Value::String(new), Value::Int(count)]) => {
            replace(text, part, new, *count, meter)
        }
        ("split", [Value::String(separator)]) => split(text, separator, -1, meter),
        ("split", [Value::String(separator), Value::Int(count)]) => split(text, separator, *count, meter),
        ("find", [Value::String(pattern)]) => match patterns.find(pattern, text) {
            Some(found) => Ok(Value::text(found.unwrap_or_default())),
            None => Err(EvaluateError::NotKnown),
        },
        ("findAll", [Value::String(pattern)]) => find_all(text, pattern, -1, patterns, meter),
        ("findAll", [Value::String(pattern), Value::Int(count)]) => {
            find_all(text, pattern, *count, patterns, meter)
        }
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

/// Replaces the first occurrences; all of them if the count is negative. The empty text is around every character.
fn replace(text: &str, part: &str, new: &str, count: i64, meter: &mut Meter) -> Outcome {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let added = text.matches(part).count().min(count).saturating_mul(new.len());
    meter.allocate(text.len().saturating_add(added))?;
    Ok(Value::text(&text.replacen(part, new, count)))
}

/// Splits a text into at most `count` parts; into all parts if the count is negative.
fn split(text: &str, separator: &str, count: i64, meter: &mut Meter) -> Outcome {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let parts = text.matches(separator).count() + 1;
    meter.allocate(
        text.len()
            .saturating_add(parts.min(count).saturating_mul(PART_BYTES)),
    )?;
    if separator.is_empty() {
        return Ok(Value::list(characters(text, count)));
    }
    Ok(Value::list(
        text.splitn(count, separator).map(Value::text).collect(),
    ))
}

/// Splits a text into its characters. The last part is the rest of the text.
fn characters(text: &str, count: usize) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if count == 0 {
            break;
        }
        let length = if parts.len() + 1 == count {
            rest.len()
        } else {
            first.len_utf8()
        };
        let (part, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        parts.push(Value::text(part));
        rest = behind;
    }
    parts
}

fn find_all(text: &str, pattern: &str, count: i64, patterns: &Patterns, meter: &mut Meter) -> Outcome {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let Some(found) = patterns.find_all(pattern, text, count) else {
        return Err(EvaluateError::NotKnown);
    };
    meter.allocate(text.len().saturating_add(found.len().saturating_mul(PART_BYTES)))?;
    Ok(Value::list(found.into_iter().map(Value::text).collect()))
}

/// Quotes a text so that all escapes of CEL are visible.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '\x07' => quoted.push_str("\\a"),
            '\x08' => quoted.push_str("\\b"),
            '\x0c' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\x0b' => quoted.push_str("\\v"),
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns the first index of a part from an index on.
fn first_index(text: &str, part: &str, from: i64) -> Outcome {
    let Ok(start) = usize::try_from(from) else {
        return out_of_range(from);
    };
    let length = text.chars().count();
    if part.is_empty() {
        return Ok(Value::count(start.min(length)));
    }
    let rest = text
        .char_indices()
        .nth(start)
        .and_then(|(byte, _)| text.get(byte..));
    let found = rest.and_then(|rest| rest.get(..rest.find(part)?));
    Ok(found.map_or(Value::Int(-1), |before| {
        Value::count(start + before.chars().count())
    }))
}

/// Returns the last index of a part up to an index.
fn last_index(text: &str, part: &str, from: i64) -> Outcome {
    let Ok(start) = usize::try_from(from) else {
        return out_of_range(from);
    };
    let length = text.chars().count();
    if part.is_empty() {
        return Ok(Value::count(start.min(length)));
    }
    if start >= length {
        return Ok(Value::Int(-1));
    }
    // A part at the last allowed index ends here, unless the text ends before.
    let first_byte = text
        .char_indices()
        .nth(start)
        .map_or(text.len(), |(byte, _)| byte);
    let mut end = text.len().min(first_byte.saturating_add(part.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = text.get(..end).unwrap_or_default();
    Ok(place(text, before.rfind(part)))
}

fn out_of_range(index: i64) -> Outcome {
    fail(
        format!("the string has no character {index}"),
        format!("index out of range: {index}"),
    )
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
