//! Texts as Go prints them: `%q`, and floating-point numbers as `%v`, `%f` and `%e`.

use std::fmt::Write as _;

/// Quotes a string as `%q` of Go does.
///
/// ```
/// assert_eq!(kgen_cel::go_text::quoted("a\tb"), r#""a\tb""#);
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

/// A text that Go parses as a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Float {
    Number(f64),
    /// A hexadecimal number, whose value is not computed.
    Hexadecimal,
}

/// Parses a floating-point number as `strconv.ParseFloat` does. Returns `None` if Go rejects the text.
pub(crate) fn parse_float(text: &str) -> Option<Float> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    if let Some(digits) = digits.strip_prefix("0x") {
        // The exponent is required.
        return digits.contains('p').then_some(Float::Hexadecimal);
    }
    let is_name = digits.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_separated = |text: &str| {
        let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        text.match_indices('_').all(|(place, _)| {
            let before = text.get(..place).and_then(|before| before.chars().next_back());
            let after = text.get(place + 1..).and_then(|after| after.chars().next());
            digit(before) && digit(after)
        })
    };
    if !is_separated(text) {
        return None;
    }
    let value = text.replace('_', "").parse::<f64>().ok()?;
    // Go rejects numbers that are too large.
    (value.is_finite() || is_name).then_some(Float::Number(value))
}

/// Prints a floating-point number as `%v` and `%g` do.
///
/// ```
/// use kgen_cel::go_text::printed_float;
///
/// assert_eq!(printed_float(0.5), "0.5");
/// assert_eq!(printed_float(1e6), "1e+06");
/// assert_eq!(printed_float(f64::INFINITY), "+Inf");
/// ```
pub fn printed_float(number: f64) -> String {
    if number.is_finite() {
        printed_shortest(&format!("{number:e}"))
    } else if number.is_nan() {
        "NaN".to_owned()
    } else if number > 0.0 {
        "+Inf".to_owned()
    } else {
        "-Inf".to_owned()
    }
}

/// Prints a number in Rust's scientific notation, such as `1.5e-3`, as `%v` does.
pub fn printed_shortest(scientific: &str) -> String {
    Decimal::of(scientific).as_printed()
}

/// Prints a number in Rust's scientific notation, such as `1.5e-3`, as `encoding/json` does.
pub fn json_shortest(scientific: &str) -> String {
    Decimal::of(scientific).as_json()
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
