//! Formats of strings that both schemas and CEL know: `byte`, `date-time`, `uri` and `uuid`.
//!
//! Mirrors `kube-openapi/pkg/validation/strfmt`.

use crate::go_time::is_date;
use crate::library::Url;

/// Returns whether a text is an absolute path or a URL with a scheme, as `url.ParseRequestURI` of Go requires.
pub fn is_uri(text: &str) -> bool {
    Url::check_request(text).is_ok()
}

/// Returns whether a text has groups of four characters, the last one padded, as the format `byte` requires. The empty text has
/// none.
pub fn is_base64(text: &str) -> bool {
    let padding = text.bytes().rev().take_while(|byte| *byte == b'=').count();
    let digits = text.get(..text.len() - padding).unwrap_or_default();
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !text.is_empty() && text.len().is_multiple_of(4) && padding <= 2 && digits.bytes().all(is_digit)
}

/// Returns whether a text is a date, a `t` in any case, and a time with its zone, as the format `date-time` requires.
pub fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    is_date(date) && is_time(time)
}

/// Returns whether a text has hours, minutes and seconds, perhaps a fraction after any one character, and `z` or an offset.
fn is_time(text: &str) -> bool {
    let Some(clock) = text.get(..8) else { return false };
    let parts: Vec<_> = clock.split(':').collect();
    let two_digits = |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let [hour, minute, second] = parts.as_slice() else {
        return false;
    };
    if ![hour, minute, second].into_iter().all(two_digits)
        || **hour > *"23"
        || **minute > *"59"
        || **second > *"59"
    {
        return false;
    }
    let rest = text.get(8..).unwrap_or_default();
    is_zone(rest) || is_fraction_and_zone(rest)
}

fn is_fraction_and_zone(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next();
    let digits = letters.as_str();
    let zone = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    zone.len() < digits.len() && is_zone(zone)
}

fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        [b'z'] => true,
        [b'+' | b'-', a, b, b':', c, d] => [a, b, c, d].into_iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns whether a text has thirty-two hexadecimal digits, with or without dashes between the groups. A version fixes one of
/// the digits, and the variants are the values that another one can have.
pub fn is_uuid(text: &str, version: Option<char>, variants: &str) -> bool {
    let mut digits = String::with_capacity(32);
    for letter in text.chars() {
        // A dash can follow each group except the last.
        let boundary = matches!(digits.len(), 8 | 12 | 16 | 20);
        match letter {
            '-' if boundary && !digits.ends_with('-') => {}
            _ if letter.is_ascii_hexdigit() => digits.push(letter.to_ascii_lowercase()),
            _ => return false,
        }
    }
    let doubled = text.contains("--");
    let version_fits = version.is_none_or(|version| digits.chars().nth(12) == Some(version));
    let variant_fits = variants.is_empty()
        || digits
            .chars()
            .nth(16)
            .is_some_and(|variant| variants.contains(variant));
    digits.len() == 32 && !doubled && version_fits && variant_fits
}
