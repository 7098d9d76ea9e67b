//! Dates and durations in the notation of Go's `time` package.

/// Returns whether a text is a date of the calendar, as in `2006-01-02`.
///
/// ```
/// use kgen_cel::go_time::is_date;
///
/// assert!(is_date("2024-02-29"));
/// assert!(!is_date("2023-02-29"));
/// ```
pub fn is_date(text: &str) -> bool {
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

/// Returns whether `time.ParseDuration` accepts a text, apart from its limit on the length of the duration.
///
/// ```
/// use kgen_cel::go_time::is_duration;
///
/// assert!(is_duration("-1h30m"));
/// assert!(!is_duration("1d"));
/// ```
pub fn is_duration(text: &str) -> bool {
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
