//! Values as Go prints them in messages: `%v`, `%q` and `encoding/json`.

use std::fmt::Write;

use serde_json::Value;

/// The deepest value that is written out.
const MAX_DEPTH: usize = 512;

/// Returns a value as the API server shows it after `Invalid value:`.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.to_string(),
            None => printed_float(number.as_f64().unwrap_or(f64::NAN)),
        },
        value => json(value),
    }
}

/// Quotes a string as `%q` does.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\x07' => quoted.push_str("\\a"),
            '\x08' => quoted.push_str("\\b"),
            '\x0c' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\x0b' => quoted.push_str("\\v"),
            _ if is_printable(character) => quoted.push(character),
            _ => {
                let code = u32::from(character);
                let _ = match code {
                    0..0x80 => write!(quoted, "\\x{code:02x}"),
                    0x80..0x1_0000 => write!(quoted, "\\u{code:04x}"),
                    _ => write!(quoted, "\\U{code:08x}"),
                };
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Returns whether Go's `unicode.IsPrint` holds. `escape_debug` uses the same table, and also escapes a mark that does not
/// follow another character.
fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    let mut text = String::from("a");
    text.push(character);
    text.escape_debug().count() == 2
}

/// Prints a floating-point number as `%v` does.
pub(crate) fn printed_float(number: f64) -> String {
    let Some((sign, digits, point)) = decimal(number) else {
        return special(number);
    };
    let exponent = point - 1;
    if (-4..6).contains(&exponent) {
        positional(sign, &digits, point)
    } else {
        scientific(sign, &digits, exponent)
    }
}

/// Writes JSON as `encoding/json` does.
pub(crate) fn json(value: &Value) -> String {
    let mut text = String::new();
    write_json(value, &mut text, 0);
    text
}

fn write_json(value: &Value, text: &mut String, depth: usize) {
    if depth > MAX_DEPTH {
        text.push('…');
        return;
    }
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => match number.as_i64() {
            Some(number) => text.push_str(&number.to_string()),
            None => text.push_str(&json_float(number.as_f64().unwrap_or(f64::NAN))),
        },
        Value::String(string) => write_json_string(string, text),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_json(item, text, depth + 1);
            }
            text.push(']');
        }
        Value::Object(entries) => {
            // Go sorts the keys of maps.
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            text.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_json_string(key, text);
                text.push(':');
                write_json(value, text, depth + 1);
            }
            text.push('}');
        }
    }
}

fn write_json_string(string: &str, text: &mut String) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\x08' => text.push_str("\\b"),
            '\x0c' => text.push_str("\\f"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            // Go escapes these so that the text can be part of a web page.
            '\0'..='\x1f' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}

fn json_float(number: f64) -> String {
    let Some((sign, digits, point)) = decimal(number) else {
        return special(number);
    };
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        // JSON has no leading zero in the exponent.
        scientific(sign, &digits, point - 1)
            .replace("e-0", "e-")
            .replace("e+0", "e+")
    } else {
        positional(sign, &digits, point)
    }
}

fn special(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number > 0.0 {
        "+Inf".to_owned()
    } else {
        "-Inf".to_owned()
    }
}

/// Returns the sign, the shortest digits, and the position of the decimal point among them.
fn decimal(number: f64) -> Option<(&'static str, String, i32)> {
    if !number.is_finite() {
        return None;
    }
    let text = format!("{:e}", number.abs());
    let (digits, exponent) = text.split_once('e')?;
    let sign = if number.is_sign_negative() { "-" } else { "" };
    Some((sign, digits.replace('.', ""), exponent.parse::<i32>().ok()? + 1))
}

fn positional(sign: &str, digits: &str, point: i32) -> String {
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    if point <= 0 {
        format!("{sign}0.{}{digits}", zeros(-point))
    } else if point >= length {
        format!("{sign}{digits}{}", zeros(point - length))
    } else {
        let (before, after) = digits.split_at(usize::try_from(point).unwrap_or_default());
        format!("{sign}{before}.{after}")
    }
}

fn scientific(sign: &str, digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    let dot = if rest.is_empty() { "" } else { "." };
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{first}{dot}{rest}e{exponent_sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_look_as_in_go() {
        for (number, printed, json) in [
            (0.5, "0.5", "0.5"),
            (1e6, "1e+06", "1000000"),
            (123456789.0, "1.23456789e+08", "123456789"),
            (1e21, "1e+21", "1e+21"),
            (1e-7, "1e-07", "1e-7"),
            (0.0001, "0.0001", "0.0001"),
            (-1.25, "-1.25", "-1.25"),
        ] {
            assert_eq!(printed_float(number), printed);
            assert_eq!(json_float(number), json);
        }
    }

    #[test]
    fn strings_are_escaped_as_in_go() {
        assert_eq!(quoted("a\"\n\u{7f}é\u{200b}"), "\"a\\\"\\n\\x7fé\\u200b\"");
        assert_eq!(
            json(&json!({"b": "<", "a": [null]})),
            "{\"a\":[null],\"b\":\"\\u003c\"}"
        );
    }
}
