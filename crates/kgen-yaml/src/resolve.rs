//! Decides which plain strings a YAML 1.1 parser would not read as strings: words such as `yes` and `null`, numbers in
//! all their spellings, dates, and minutes such as `12:30`.
//!
//! The rules are exactly those of go-yaml, even where they are odd (`0b-1` is a number, `+0b-1` is not), because
//! additional quotes would be a difference in the output.

use super::timestamp::is_timestamp;

/// Returns whether `text`, written plain, would be read as something other than this string.
pub(super) fn reads_as_other(text: &str) -> bool {
    match text.as_bytes().first() {
        None => true,
        Some(b'0'..=b'9') => {
            is_float(text) || is_prefixed_integer(text) || is_base_60(text) || is_timestamp(text)
        }
        Some(b'+' | b'-') => {
            is_infinity(text) || is_float(text) || is_prefixed_integer(text) || is_base_60(text)
        }
        Some(b'.') => is_infinity(text) || is_not_a_number(text) || is_bare_fraction(text),
        Some(b'~' | b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => is_word(text),
        Some(_) => false,
    }
}

fn is_word(text: &str) -> bool {
    matches!(
        text,
        "~" | "null"
            | "Null"
            | "NULL"
            | "true"
            | "True"
            | "TRUE"
            | "false"
            | "False"
            | "FALSE"
            | "yes"
            | "Yes"
            | "YES"
            | "no"
            | "No"
            | "NO"
            | "on"
            | "On"
            | "ON"
            | "off"
            | "Off"
            | "OFF"
            | "y"
            | "Y"
            | "n"
            | "N"
    )
}

fn is_infinity(text: &str) -> bool {
    matches!(without_sign(text), ".inf" | ".Inf" | ".INF")
}

fn is_not_a_number(text: &str) -> bool {
    matches!(text, ".nan" | ".NaN" | ".NAN")
}

fn without_sign(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

/// Returns whether `text` is a decimal number, integral or not, that a 64-bit float can hold. Underscores may be
/// anywhere after the first character.
pub(super) fn is_float(text: &str) -> bool {
    if !is_decimal(without_sign(text).bytes().filter(|byte| *byte != b'_')) {
        return false;
    }
    if text.contains('_') {
        is_finite(&text.replace('_', ""))
    } else {
        is_finite(text)
    }
}

/// Returns whether `text`, which starts with a dot, is a number. Unlike elsewhere, underscores may only be between two
/// digits: `.5_` is a string, and go-yaml writes and reads it as one.
pub(super) fn is_bare_fraction(text: &str) -> bool {
    let is_misplaced = |three: &[u8]| match three {
        [before, b'_', after] => !before.is_ascii_digit() || !after.is_ascii_digit(),
        _ => false,
    };
    is_float(text) && !text.ends_with('_') && !text.as_bytes().windows(3).any(is_misplaced)
}

/// Returns whether a text is `.5`, `5`, `5.` or `5.5`, each with or without an exponent.
fn is_decimal(bytes: impl Iterator<Item = u8>) -> bool {
    let mut bytes = bytes.peekable();
    let mut skip_digits = || {
        let mut count = 0_usize;
        while bytes.next_if(u8::is_ascii_digit).is_some() {
            count += 1;
        }
        (count, bytes.next())
    };
    let (digits, mut next) = skip_digits();
    if next == Some(b'.') {
        let fraction;
        (fraction, next) = skip_digits();
        if digits == 0 && fraction == 0 {
            return false;
        }
    } else if digits == 0 {
        return false;
    }
    match next {
        None => true,
        Some(b'e' | b'E') => match skip_digits() {
            (0, Some(b'+' | b'-')) => matches!(skip_digits(), (1.., None)),
            (1.., None) => true,
            _ => false,
        },
        Some(_) => false,
    }
}

/// Returns whether a number fits a float; those that overflow are strings in go-yaml.
fn is_finite(decimal: &str) -> bool {
    decimal.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Returns whether a text is `0x1F`, `0b101` or `0o17`, with or without a sign, and fits into 64 bits. Underscores may
/// be anywhere after the first character.
fn is_prefixed_integer(text: &str) -> bool {
    let mut bytes = text.bytes().filter(|byte| *byte != b'_').peekable();
    let mut sign = bytes.next_if(|byte| matches!(byte, b'+' | b'-'));
    if bytes.next() != Some(b'0') {
        return false;
    }
    let base = match bytes.next() {
        Some(b'b') => {
            // go-yaml removes `0b` and parses the rest as a separate number.
            if sign.is_none() {
                sign = bytes.next_if(|byte| matches!(byte, b'+' | b'-'));
            }
            2
        }
        Some(b'B') => 2,
        Some(b'o' | b'O') => 8,
        Some(b'x' | b'X') => 16,
        _ => return false,
    };
    let largest = match sign {
        None => u64::MAX,
        Some(b'-') => i64::MIN.unsigned_abs(),
        Some(_) => i64::MAX.unsigned_abs(),
    };
    let magnitude = |magnitude: u64, byte| {
        let digit = char::from(byte).to_digit(base)?;
        magnitude
            .checked_mul(u64::from(base))?
            .checked_add(u64::from(digit))
    };
    bytes.peek().is_some()
        && bytes
            .try_fold(0, magnitude)
            .is_some_and(|magnitude| magnitude <= largest)
}

/// Hours and minutes, or minutes and seconds, which YAML 1.1 reads as one number: `190:20:30`, `1:30.5`.
fn is_base_60(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut places = without_sign(whole).split(':');
    let digits_or_underscores = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let first = places.next().unwrap_or("");
    first.starts_with(|first: char| first.is_ascii_digit())
        && digits_or_underscores(first)
        && digits_or_underscores(fraction)
        && whole.contains(':')
        && places.all(|place| matches!(place.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']))
}
