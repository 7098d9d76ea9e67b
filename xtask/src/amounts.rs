//! Formats amounts: times, sizes, counts.

use std::time::Duration;

/// Formats a time with about three digits: `3.21 ms`, `1.40 s`, `2 min 5 s`.
pub fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 1.0 {
        let milliseconds = seconds * 1000.0;
        let decimals = if milliseconds < 10.0 {
            2
        } else {
            usize::from(milliseconds < 100.0)
        };
        format!("{milliseconds:.decimals$} ms")
    } else if seconds < 60.0 {
        let decimals = if seconds < 10.0 { 2 } else { 1 };
        format!("{seconds:.decimals$} s")
    } else {
        let whole = duration.as_secs();
        format!("{} min {} s", whole / 60, whole % 60)
    }
}

/// Returns milliseconds, as a number to calculate with.
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Formats megabytes, as in `12.3 MB`.
pub fn size(bytes: u64) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000)
}

/// Formats a count with its thousands set apart: `1,000`.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_fitting_unit() {
        let shown = [3_214, 45_678, 456_789, 1_400_000, 12_340_000, 125_000_000];
        let shown = shown.map(|microseconds| time(Duration::from_micros(microseconds)));
        assert_eq!(
            shown,
            ["3.21 ms", "45.7 ms", "457 ms", "1.40 s", "12.3 s", "2 min 5 s"]
        );
    }

    #[test]
    fn counts_and_sizes_are_readable() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(size(12_345_678), "12.3 MB");
    }
}
