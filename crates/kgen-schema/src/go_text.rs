//! Values as Go prints them in messages: `%v`, `%q` and `encoding/json`.
//!
//! Strings are in Go's quotes, numbers are as `fmt` prints them, and everything else is JSON as Go writes it.

use std::fmt::Write as _;
use std::io;

use serde_core::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

use crate::depth;

/// Returns a value as the API server shows it after `Invalid value:`. Returns an empty text if it cannot be serialized.
pub(crate) fn shown_value(value: &(impl Serialize + ?Sized)) -> String {
    let text = written(value, GoJson::default());
    if text.starts_with('"') {
        // Go quotes a string in another way than JSON does.
        return serde_json::from_str::<String>(&text).map_or(text, |text| quoted(&text));
    }
    text
}

/// Returns a value that was read from JSON as the API server shows it after `Invalid value:`.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        value => written(
            &in_order(value),
            GoJson {
                depth: 0,
                is_read: true,
            },
        ),
    }
}

/// Writes a value that was read from JSON as `encoding/json` does.
pub fn json(value: &Value) -> String {
    written(
        &in_order(value),
        GoJson {
            depth: 1,
            is_read: true,
        },
    )
}

/// Prints a floating-point number as `%v` does.
pub fn printed_float(number: f64) -> String {
    if number.is_finite() {
        Decimal::of(&format!("{number:e}")).as_printed()
    } else if number.is_nan() {
        "NaN".to_owned()
    } else if number > 0.0 {
        "+Inf".to_owned()
    } else {
        "-Inf".to_owned()
    }
}

/// Returns the value with sorted keys, because Go sorts the keys of maps. A value that is too deep is not written out.
fn in_order(value: &Value) -> Value {
    if depth::check(value).is_err() {
        return Value::from("…");
    }
    let mut value = value.clone();
    value.sort_all_objects();
    value
}

fn written(value: &(impl Serialize + ?Sized), format: GoJson) -> String {
    let mut json = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut json, format);
    if value.serialize(&mut serializer).is_err() {
        return String::new();
    }
    String::from_utf8(json).unwrap_or_default()
}

/// Quotes a string as `%q` of Go does.
///
/// ```
/// assert_eq!(kgen_schema::quoted("a\tb"), r#""a\tb""#);
/// ```
pub fn quoted(text: &str) -> String {
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

/// Writes JSON as Go's `encoding/json` does, and numbers outside of lists and maps as `fmt` does.
#[derive(Default)]
struct GoJson {
    /// The number of lists and maps around the value.
    depth: usize,
    /// Go reads an integer beyond `int64` from JSON as a floating-point number.
    is_read: bool,
}

impl GoJson {
    fn float<W: io::Write + ?Sized>(&self, writer: &mut W, shortest: &str) -> io::Result<()> {
        let number = Decimal::of(shortest);
        let text = if self.depth > 0 {
            number.as_json()
        } else {
            number.as_printed()
        };
        writer.write_all(text.as_bytes())
    }
}

impl Formatter for GoJson {
    fn write_u64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        if self.is_read && i64::try_from(value).is_err() {
            #[expect(clippy::cast_precision_loss, reason = "Go rounds it, too")]
            let float = value as f64;
            return self.write_f64(writer, float);
        }
        write!(writer, "{value}")
    }

    fn write_f32<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        self.float(writer, &format!("{value:e}"))
    }

    fn write_f64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        self.float(writer, &format!("{value:e}"))
    }

    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Go escapes these so that the text can be part of a web page.
        let mut rest = fragment;
        while let Some(place) = rest.find(['<', '>', '&', '\u{2028}', '\u{2029}']) {
            let (before, after) = rest.split_at(place);
            writer.write_all(before.as_bytes())?;
            let mut characters = after.chars();
            if let Some(character) = characters.next() {
                write!(writer, "\\u{:04x}", u32::from(character))?;
            }
            rest = characters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        writer.write_all(b"[")
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        writer.write_all(b"]")
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        writer.write_all(b"{")
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        writer.write_all(b"}")
    }
}

/// A number in its shortest decimal form: `0.digits × 10^point`.
struct Decimal<'a> {
    negative: bool,
    digits: String,
    point: i32,
    text: &'a str,
}

impl<'a> Decimal<'a> {
    /// Reads Rust's scientific notation, which has the fewest digits that identify the number.
    fn of(scientific: &'a str) -> Self {
        let unsigned = scientific.trim_start_matches('-');
        let (digits, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
        Self {
            negative: scientific.starts_with('-'),
            digits: digits.replace('.', ""),
            point: exponent.parse::<i32>().unwrap_or(0) + 1,
            text: scientific,
        }
    }

    /// Returns the number as `encoding/json` writes it: with an exponent only if it is very small or very large.
    fn as_json(&self) -> String {
        if self.is_zero() || (-6..21).contains(&(self.point - 1)) {
            self.plain()
        } else {
            // JSON has no leading zero in the exponent.
            self.scientific().replace("e-0", "e-")
        }
    }

    /// Returns the number as `%v` prints it: with an exponent from a million on.
    fn as_printed(&self) -> String {
        if self.is_zero() || (-4..6).contains(&(self.point - 1)) {
            self.plain()
        } else {
            self.scientific()
        }
    }

    fn is_zero(&self) -> bool {
        self.digits.bytes().all(|digit| digit == b'0')
    }

    fn plain(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let digits = &self.digits;
        match usize::try_from(self.point) {
            Ok(point) if point > 0 && point >= digits.len() => {
                format!("{sign}{digits}{}", "0".repeat(point - digits.len()))
            }
            Ok(point) if point > 0 => {
                let (before, after) = digits.split_at_checked(point).unwrap_or((digits, ""));
                format!("{sign}{before}.{after}")
            }
            _ => {
                let zeros = usize::try_from(-self.point).unwrap_or(0);
                format!("{sign}0.{}{digits}", "0".repeat(zeros))
            }
        }
    }

    fn scientific(&self) -> String {
        let (digits, exponent) = self.text.split_once('e').unwrap_or((self.text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}e{sign}{:02}", exponent.abs())
    }
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
            assert_eq!(super::json(&json!(number)), json);
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
