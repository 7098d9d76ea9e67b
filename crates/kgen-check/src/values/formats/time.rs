//! Dates, times and durations.

/// A day as in `2006-01-02`, which the calendar must have.
pub(crate) fn is_date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let number = |part: &str, length: usize| {
        let digits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// A date, a `t` in any case, and a time with its zone.
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

/// What Go parses as a duration, or any number in front of a word that begins like a unit of time.
pub(super) fn is_duration(text: &str) -> bool {
    is_go_duration(text) || is_loose_duration(text)
}

/// What Go parses as a duration, no matter how long it is.
pub(crate) fn is_go_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let number = rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let length = rest.len() - number.len();
        let digits = rest.get(..length).unwrap_or_default();
        if digits.matches('.').count() > 1 || !digits.contains(|letter: char| letter.is_ascii_digit()) {
            return false;
        }
        let unit_length = number
            .find(|letter: char| letter.is_ascii_digit() || letter == '.')
            .unwrap_or(number.len());
        let (unit, behind) = number.split_at_checked(unit_length).unwrap_or((number, ""));
        if !matches!(unit, "ns" | "us" | "µs" | "μs" | "ms" | "s" | "m" | "h") {
            return false;
        }
        rest = behind;
    }
    true
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
