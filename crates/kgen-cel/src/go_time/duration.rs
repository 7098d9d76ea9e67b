//! Durations as Go's `time.ParseDuration` and the format `duration` of the API server read them.

/// The length of the longest duration in nanoseconds, plus one: the absolute value of the shortest one.
const LIMIT: u64 = 1 << 63;

/// Parses a duration as `time.ParseDuration` does. Returns nanoseconds, or `None` if Go rejects the text.
///
/// ```
/// use kgen_cel::go_time::parse_duration;
///
/// assert_eq!(parse_duration("-1h30m"), Some(-5_400_000_000_000));
/// assert_eq!(parse_duration("1.5ms"), Some(1_500_000));
/// assert_eq!(parse_duration("1d"), None);
/// assert_eq!(parse_duration("9999999h"), None);
/// ```
pub fn parse_duration(text: &str) -> Option<i64> {
    let (is_negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (part, behind) = read_part(rest)?;
        total = total.checked_add(part).filter(|total| *total <= LIMIT)?;
        rest = behind;
    }
    if is_negative {
        // The shortest duration has no positive counterpart.
        return Some(0_u64.wrapping_sub(total).cast_signed());
    }
    i64::try_from(total).ok()
}

/// Reads a number with its unit. Returns nanoseconds and the rest of the text.
fn read_part(text: &str) -> Option<(u64, &str)> {
    let (whole, rest) = digits(text);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => digits(rest),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let length = rest
        .find(|letter: char| letter == '.' || letter.is_ascii_digit())
        .unwrap_or(rest.len());
    let (word, rest) = rest.split_at_checked(length)?;
    let unit = unit(word)?;
    let whole = if whole.is_empty() {
        0
    } else {
        whole.parse::<u64>().ok()?
    };
    if whole > LIMIT / unit {
        return None;
    }
    let mut part = whole * unit;
    let (fraction, scale) = leading_fraction(fraction);
    if fraction > 0 {
        // Go computes in floating point, too.
        part = part.checked_add((fraction as f64 * (unit as f64 / scale)) as u64)?;
    }
    (part <= LIMIT).then_some((part, rest))
}

fn digits(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    text.split_at_checked(text.len() - rest.len())
        .unwrap_or(("", text))
}

/// Returns the digits of a fraction that fit into 63 bits as a number, and the power of ten to divide it by.
fn leading_fraction(digits: &str) -> (u64, f64) {
    let (mut number, mut scale) = (0_u64, 1.0);
    for digit in digits.bytes() {
        if number > (LIMIT - 1) / 10 {
            break;
        }
        let longer = number * 10 + u64::from(digit - b'0');
        if longer > LIMIT {
            break;
        }
        number = longer;
        scale *= 10.0;
    }
    (number, scale)
}

/// Returns the nanoseconds of a unit.
fn unit(word: &str) -> Option<u64> {
    Some(match word {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// Units by all their names. The last name of each also counts as the beginning of a word.
const LOOSE_UNITS: [(&[&str], i64); 8] = [
    (&["ns", "nano"], 1),
    (&["us", "µs", "micro"], 1_000),
    (&["ms", "milli"], 1_000_000),
    (&["s", "sec"], 1_000_000_000),
    (&["m", "min"], 60_000_000_000),
    (&["h", "hr", "hour"], 3_600_000_000_000),
    (&["d", "day"], 86_400_000_000_000),
    (&["w", "wk", "week"], 604_800_000_000_000),
];

/// Parses a string with the format `duration` of a schema, as the API server does: a duration of Go, or numbers before
/// words that begin like units of time. Returns nanoseconds, or `None` if the API server rejects the text.
///
/// ```
/// use kgen_cel::go_time::parse_loose_duration;
///
/// assert_eq!(parse_loose_duration("1h"), Some(3_600_000_000_000));
/// assert_eq!(parse_loose_duration("2 days and 1 hour"), Some(49 * 3_600_000_000_000));
/// assert_eq!(parse_loose_duration("soon"), None);
/// ```
pub fn parse_loose_duration(text: &str) -> Option<i64> {
    if let Some(duration) = parse_duration(text) {
        return Some(duration);
    }
    let mut total = None;
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (number, behind) = digits(rest.get(start..).unwrap_or_default());
        let word = behind.trim_start_matches([' ', '\t', '\n', '\r', '\u{C}']);
        let after = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic() || letter == 'µ');
        let word = word.get(..word.len() - after.len()).unwrap_or_default();
        rest = after;
        if word.is_empty() {
            continue;
        }
        let number: i64 = number.parse().ok()?;
        let word = word.to_lowercase();
        for (names, nanoseconds) in LOOSE_UNITS {
            let begins = names.last().is_some_and(|name| word.starts_with(name));
            if begins || names.contains(&word.as_str()) {
                let part = number.wrapping_mul(nanoseconds);
                total = Some(total.unwrap_or(0_i64).wrapping_add(part));
            }
        }
    }
    total
}
