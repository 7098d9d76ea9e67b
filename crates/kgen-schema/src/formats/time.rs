//! Dates, times and durations.

use kgen_cel::go_time::{is_date, is_duration as is_go_duration};

/// Returns a date, a `t` in any case, and a time with its zone.
pub(super) fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    is_date(date) && is_time(time)
}

/// Hours, minutes, seconds, perhaps a fraction behind any one character, and `z` or an offset.
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

/// A duration that Go parses, or any number in front of a word that starts like a unit of time.
pub(super) fn is_duration(text: &str) -> bool {
    is_go_duration(text) || is_loose_duration(text)
}

/// Units by all their names; the last one of each also as the beginning of a word.
const UNITS: [&[&str]; 8] = [
    &["ns", "nano"],
    &["us", "µs", "micro"],
    &["ms", "milli"],
    &["s", "sec"],
    &["m", "min"],
    &["h", "hr", "hour"],
    &["d", "day"],
    &["w", "wk", "week"],
];

fn is_loose_duration(text: &str) -> bool {
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let number = rest.get(start..).unwrap_or_default();
        let behind = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let word = behind.trim_start_matches([' ', '\t', '\n', '\r', '\u{C}']);
        let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == 'µ';
        let after = word.trim_start_matches(is_letter);
        let unit = word
            .get(..word.len() - after.len())
            .unwrap_or_default()
            .to_lowercase();
        if is_unit(&unit) {
            return true;
        }
        rest = after;
    }
    false
}

fn is_unit(word: &str) -> bool {
    UNITS
        .iter()
        .any(|names| names.contains(&word) || names.last().is_some_and(|name| word.starts_with(name)))
}
