//! Times in RFC 3339, which the API server converts to UTC and cuts to seconds.

use kgen_cel::go_time::is_date;

/// Converts a time to UTC without fractions of seconds. Returns `None` if the text is not a time.
pub(crate) fn to_utc(text: &str) -> Option<String> {
    let (date, time) = (text.get(..10)?, text.get(11..19)?);
    if !is_date(date) || text.get(10..11) != Some("T") {
        return None;
    }
    let clock: Vec<_> = time.split(':').collect();
    let [hour, minute, second] = clock.as_slice() else {
        return None;
    };
    let (hour, minute, second) = (
        two_digits(hour, 23)?,
        two_digits(minute, 59)?,
        two_digits(second, 59)?,
    );
    let mut zone = text.get(19..)?;
    if let Some(fraction) = zone.strip_prefix('.') {
        let rest = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if rest.len() == fraction.len() {
            return None;
        }
        zone = rest;
    }
    if zone == "Z" {
        return Some(format!("{date}T{time}Z"));
    }
    let sign = match zone.get(..1)? {
        "+" => -1,
        "-" => 1,
        _ => return None,
    };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let offset = sign * (two_digits(hours, 23)? * 60 + two_digits(minutes, 59)?);
    let minutes = hour * 60 + minute + offset;
    let number = |range: std::ops::Range<usize>| date.get(range)?.parse::<i64>().ok();
    let days = days_from_civil(number(0..4)?, number(5..7)?, number(8..10)?);
    let (year, month, day) = civil_from_days(days + minutes.div_euclid(24 * 60));
    let minutes = minutes.rem_euclid(24 * 60);
    let (hour, minute) = (minutes / 60, minutes % 60);
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
    ))
}

fn two_digits(text: &str, most: i64) -> Option<i64> {
    let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| text.parse().ok())??;
    (number <= most).then_some(number)
}

/// Returns the days since 1970-01-01. The year begins in March, so that the leap day is its last day.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_converted_to_utc() {
        for (text, expected) in [
            ("2024-02-29T23:30:00Z", Some("2024-02-29T23:30:00Z")),
            ("2024-02-29T23:30:00.25-01:00", Some("2024-03-01T00:30:00Z")),
            ("2024-01-01T00:30:00+01:00", Some("2023-12-31T23:30:00Z")),
            ("2024-01-01", None),
            ("2024-01-01T00:30:00", None),
            ("2024-01-01T25:30:00Z", None),
        ] {
            assert_eq!(to_utc(text).as_deref(), expected, "{text}");
        }
    }
}
