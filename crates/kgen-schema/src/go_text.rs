//! Values as Go prints them in messages: `%v`, `%q` and `encoding/json`.
//!
//! Strings are in Go's quotes, numbers are as `fmt` prints them, and everything else is JSON as Go writes it.

use std::io;

use kgen_cel::go_text;
use serde_core::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

use crate::depth;

pub(crate) use kgen_cel::go_text::printed_float;
pub use kgen_cel::go_text::quoted;

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
        let text = if self.depth > 0 {
            go_text::json_shortest(shortest)
        } else {
            go_text::printed_shortest(shortest)
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
