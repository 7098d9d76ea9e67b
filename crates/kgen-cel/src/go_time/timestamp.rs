//! Points in time as Go's `time.Parse` reads them and `Time.Format` writes them, in the layout of RFC 3339.

use std::cmp::Ordering;
use std::fmt::{self, Display};

use super::{civil_from_days, days_from_civil, days_in_month};

/// The first and the last second that a timestamp of CEL can have, since 1970.
const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;

const NANOSECONDS: i64 = 1_000_000_000;
const DAY: i64 = 86_400;

/// A point in time, with the offset from UTC that it is written with.
///
/// `==` compares all parts; [`cmp_instant`](Self::cmp_instant) compares points in time. `Display` writes the timestamp as
/// Go does.
///
/// ```
/// use kgen_cel::go_time::Timestamp;
///
/// let timestamp = Timestamp::parse("2024-02-29T23:30:00.250+01:00").unwrap();
/// assert_eq!(timestamp.to_string(), "2024-02-29T23:30:00.25+01:00");
/// assert_eq!(timestamp.unix_seconds(), 1_709_245_800);
/// assert_eq!(Timestamp::parse("2023-02-29T23:30:00Z"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
    /// Seconds east of UTC.
    offset: i32,
}

/// A timestamp as a calendar and a clock show it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    /// From 1 on.
    pub(crate) month: i64,
    /// From 1 on.
    pub(crate) day: i64,
    /// From 0 on.
    pub(crate) day_of_year: i64,
    /// From Sunday on.
    pub(crate) weekday: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
}

impl Timestamp {
    /// Returns the timestamp of a number of seconds since 1970. Returns `None` outside of the years 1 to 9999.
    pub fn from_unix_seconds(seconds: i64) -> Option<Self> {
        let timestamp = Self {
            seconds,
            nanoseconds: 0,
            offset: 0,
        };
        timestamp.in_range()
    }

    /// Returns the timestamp if it is in the years 1 to 9999 in UTC, as CEL requires.
    pub(crate) fn in_range(self) -> Option<Self> {
        (FIRST..=LAST).contains(&self.seconds).then_some(self)
    }

    /// Parses a date and time with a zone. Returns `None` if Go rejects the text.
    ///
    /// Go is more tolerant than RFC 3339: the hour can have one digit, and a comma can begin the fraction.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        let mut parts = date.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let year = if year.len() == 4 {
            number(year)?
        } else {
            return None;
        };
        let (month, day) = (two_digits(month)?, two_digits(day)?);
        let rest = rest.strip_prefix('T')?;
        let (hour, rest) = rest.split_once(':')?;
        let hour = match hour.len() {
            1 | 2 => number(hour)?,
            _ => return None,
        };
        let (minute, rest) = (two_digits(rest.get(..2)?)?, rest.get(2..)?.strip_prefix(':')?);
        let (second, rest) = (two_digits(rest.get(..2)?)?, rest.get(2..)?);
        let (nanoseconds, zone) = fraction(rest);
        let offset = offset(zone)?;
        let is_valid = (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        let local = days_from_civil(year, month, day) * DAY + (hour * 60 + minute) * 60 + second;
        let seconds = local - i64::from(offset);
        is_valid.then_some(Self {
            seconds,
            nanoseconds,
            offset,
        })
    }

    /// Parses a date, as the format `date` of a schema requires it.
    pub fn parse_date(text: &str) -> Option<Self> {
        if !super::is_date(text) {
            return None;
        }
        Self::parse(&format!("{text}T00:00:00Z"))
    }

    /// Returns the seconds since 1970, rounded down.
    pub fn unix_seconds(self) -> i64 {
        self.seconds
    }

    /// Returns the same point in time in UTC, without the fraction of its second.
    #[must_use]
    pub fn utc_seconds(self) -> Self {
        Self {
            seconds: self.seconds,
            nanoseconds: 0,
            offset: 0,
        }
    }

    /// Compares two points in time.
    pub fn cmp_instant(self, other: Self) -> Ordering {
        (self.seconds, self.nanoseconds).cmp(&(other.seconds, other.nanoseconds))
    }

    /// Adds nanoseconds. Returns `None` outside of the years 1 to 9999.
    #[must_use]
    pub fn checked_add(self, nanoseconds: i64) -> Option<Self> {
        let total = i64::from(self.nanoseconds) + nanoseconds % NANOSECONDS;
        let seconds = self.seconds + nanoseconds / NANOSECONDS + total.div_euclid(NANOSECONDS);
        let rest = u32::try_from(total.rem_euclid(NANOSECONDS)).ok()?;
        let sum = Self {
            seconds,
            nanoseconds: rest,
            offset: self.offset,
        };
        sum.in_range()
    }

    /// Returns the nanoseconds since another point in time. Returns `None` if they do not fit into 64 bits.
    pub fn checked_since(self, other: Self) -> Option<i64> {
        let seconds = (self.seconds - other.seconds).checked_mul(NANOSECONDS)?;
        seconds.checked_add(i64::from(self.nanoseconds) - i64::from(other.nanoseconds))
    }

    pub(crate) fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }

    /// Returns whether this is midnight of January 1, year 1, which is Go's zero value.
    pub(crate) fn is_zero(self) -> bool {
        self.seconds == FIRST && self.nanoseconds == 0
    }

    /// Returns the date and time for an offset from UTC in seconds.
    pub(crate) fn civil(self, offset: i64) -> Civil {
        let local = self.seconds.saturating_add(offset);
        let (days, seconds) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let (year, month, day) = civil_from_days(days);
        Civil {
            year,
            month,
            day,
            day_of_year: days - days_from_civil(year, 1, 1),
            weekday: (days + 4).rem_euclid(7),
            hour: seconds / 3600,
            minute: seconds / 60 % 60,
            second: seconds % 60,
        }
    }
}

impl Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let civil = self.civil(i64::from(self.offset));
        write!(
            formatter,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
            civil.year, civil.month, civil.day, civil.hour, civil.minute, civil.second
        )?;
        if self.nanoseconds > 0 {
            let digits = format!("{:09}", self.nanoseconds);
            write!(formatter, ".{}", digits.trim_end_matches('0'))?;
        }
        if self.offset == 0 {
            return formatter.write_str("Z");
        }
        let minutes = self.offset.abs() / 60;
        let sign = if self.offset < 0 { '-' } else { '+' };
        write!(formatter, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

fn number(digits: &str) -> Option<i64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

fn two_digits(text: &str) -> Option<i64> {
    if text.len() == 2 { number(text) } else { None }
}

/// Reads a fraction of a second. Returns nanoseconds and the rest; without a fraction, the whole text.
fn fraction(text: &str) -> (u32, &str) {
    let Some(digits) = text.strip_prefix(['.', ',']) else {
        return (0, text);
    };
    let rest = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = digits.get(..digits.len() - rest.len()).unwrap_or_default();
    if digits.is_empty() {
        return (0, text);
    }
    let digits: String = digits.chars().chain("000000000".chars()).take(9).collect();
    (digits.parse().unwrap_or_default(), rest)
}

/// Reads a zone: `Z`, or hours and minutes with a sign. Returns seconds east of UTC.
fn offset(zone: &str) -> Option<i32> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = match zone.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    // Go also accepts 24 hours and 60 minutes.
    if hours > 24 || minutes > 60 {
        return None;
    }
    i32::try_from(sign * (hours * 60 + minutes) * 60).ok()
}
