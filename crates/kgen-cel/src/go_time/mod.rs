//! Dates, timestamps and durations in the notation of Go's `time` package.

mod duration;
mod timestamp;
mod zone;

pub use duration::{parse_duration, parse_loose_duration};
pub use timestamp::Timestamp;

pub(crate) use timestamp::Civil;
pub(crate) use zone::{ZoneError, offset_at};

/// Returns whether a text names a time zone of the IANA database.
pub fn is_time_zone(text: &str) -> bool {
    !text.contains(':') && offset_at(text, 0).is_ok()
}

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
        digits.then(|| part.parse::<i64>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 31,
    }
}

/// Returns the days since 1970-01-01. The year begins in March, so that the leap day is its last day.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Returns the year, month and day of a number of days since 1970-01-01.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// Returns whether `time.ParseDuration` accepts a text.
///
/// ```
/// use kgen_cel::go_time::is_duration;
///
/// assert!(is_duration("-1h30m"));
/// assert!(!is_duration("1d"));
/// ```
pub fn is_duration(text: &str) -> bool {
    parse_duration(text).is_some()
}
