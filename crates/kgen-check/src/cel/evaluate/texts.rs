//! Functions on texts. Places in a text count characters, as in `cel-go`.

use super::super::super::patterns::Patterns;
use super::{Outcome, Stop, Value, fail};

/// What a function gives; nothing if it is none of these.
pub(super) fn call(function: &str, values: &[Value], patterns: &Patterns) -> Option<Outcome> {
    let [Value::Text(text), arguments @ ..] = values else {
        return None;
    };
    let text = text.as_ref();
    Some(match (function, arguments) {
        ("contains", [Value::Text(part)]) => Ok(Value::Bool(text.contains(part.as_ref()))),
        ("startsWith", [Value::Text(part)]) => Ok(Value::Bool(text.starts_with(part.as_ref()))),
        ("endsWith", [Value::Text(part)]) => Ok(Value::Bool(text.ends_with(part.as_ref()))),
        ("matches", [Value::Text(pattern)]) => match patterns.verdict(pattern, text) {
            Some(matches) => Ok(Value::Bool(matches)),
            None => Err(Stop::Unknown),
        },
        ("lowerAscii", []) => Ok(Value::text(&text.to_ascii_lowercase())),
        ("upperAscii", []) => Ok(Value::text(&text.to_ascii_uppercase())),
        ("trim", []) => Ok(Value::text(text.trim())),
        ("charAt", [Value::Int(at)]) => character(text, *at),
        ("indexOf", [Value::Text(part)]) => Ok(place(text, text.find(part.as_ref()))),
        ("lastIndexOf", [Value::Text(part)]) => Ok(place(text, text.rfind(part.as_ref()))),
        ("replace", [Value::Text(part), Value::Text(new)]) => {
            Ok(Value::text(&text.replace(part.as_ref(), new)))
        }
        ("split", [Value::Text(separator)]) if !separator.is_empty() => Ok(Value::list(
            text.split(separator.as_ref()).map(Value::text).collect(),
        )),
        ("substring", [Value::Int(start)]) => {
            let end = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            substring(text, *start, end)
        }
        ("substring", [Value::Int(start), Value::Int(end)]) => substring(text, *start, *end),
        _ => return None,
    })
}

fn character(text: &str, at: i64) -> Outcome {
    let count = text.chars().count();
    match usize::try_from(at) {
        // Behind the last character there is an empty text.
        Ok(at) if at == count => Ok(Value::text("")),
        Ok(at) if at < count => {
            let found: String = text.chars().skip(at).take(1).collect();
            Ok(Value::text(&found))
        }
        _ => fail(format!("the text has no character {at}")),
    }
}

/// The place of a byte in characters, or -1.
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
        _ => fail(format!("the text has no part from {start} to {end}")),
    }
}
