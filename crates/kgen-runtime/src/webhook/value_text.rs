//! A value in an error message, byte for byte as Kubernetes' API machinery prints it: strings in Go's quotes, numbers as Go
//! prints them, all else as the JSON that Go writes.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Returns the value as text. One that cannot be serialized is left out.
pub(super) fn value_text(value: &(impl Serialize + ?Sized)) -> String {
    let mut json = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut json, GoJson::default());
    if value.serialize(&mut serializer).is_err() {
        return String::new();
    }
    let json = String::from_utf8(json).unwrap_or_default();
    if json.starts_with('"') {
        // Go quotes a string otherwise than JSON does.
        return serde_json::from_str::<String>(&json).map_or(json, |text| quoted(&text));
    }
    json
}

/// Returns a string in the quotes of Go's `%q`.
pub(super) fn quoted(text: &str) -> String {
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
            _ => match u32::from(character) {
                code @ 0..0x80 => quoted.push_str(&format!("\\x{code:02x}")),
                code @ 0x80..0x1_0000 => quoted.push_str(&format!("\\u{code:04x}")),
                code => quoted.push_str(&format!("\\U{code:08x}")),
            },
        }
    }
    quoted.push('"');
    quoted
}

/// Returns whether Go's `unicode.IsPrint` holds. The standard library has the same table and shows it only through
/// `escape_debug`, which leaves alone what is printable, and marks that follow another character.
fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    let mut buffer = [b'a'; 5];
    let length = character.encode_utf8(&mut buffer[1..]).len();
    std::str::from_utf8(&buffer[..=length]).is_ok_and(|text| text.escape_debug().count() == 2)
}

/// JSON as Go's `encoding/json` writes it, and numbers outside of lists and maps as `fmt` prints them.
#[derive(Default)]
struct GoJson {
    depth: usize,
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
        // These are escaped so that the text can stand in a web page.
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

/// A number in its shortest decimal form, `0.digits × 10^point`.
struct Decimal<'a> {
    negative: bool,
    digits: String,
    point: i32,
    text: &'a str,
}

impl<'a> Decimal<'a> {
    /// Of Rust's scientific notation, which has the shortest digits that mean the number.
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

    /// As `encoding/json` writes it: with an exponent only if it is very small or very large.
    fn as_json(&self) -> String {
        if self.is_zero() || (-6..21).contains(&(self.point - 1)) {
            self.plain()
        } else {
            // No zero before the digit of a small exponent.
            self.scientific().replace("e-0", "e-")
        }
    }

    /// As `fmt` prints it with `%v`: with an exponent from a million on.
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
            Ok(point) if point > 0 => format!("{sign}{}.{}", &digits[..point], &digits[point..]),
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
