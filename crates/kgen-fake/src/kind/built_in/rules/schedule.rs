//! Schedules of CronJobs, as `github.com/robfig/cron` reads them.

const FIELDS: [(u32, u32, &[&str]); 5] = [
    (0, 59, &[]),
    (0, 23, &[]),
    (1, 31, &[]),
    (
        1,
        12,
        &[
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ],
    ),
    (0, 6, &["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
];
const NAMED: [&str; 7] = [
    "@yearly",
    "@annually",
    "@monthly",
    "@weekly",
    "@daily",
    "@midnight",
    "@hourly",
];

/// Checks a schedule. Returns the mistake in the words of the parser.
pub(super) fn check(schedule: &str) -> Result<(), String> {
    let schedule = match schedule
        .strip_prefix("TZ=")
        .or_else(|| schedule.strip_prefix("CRON_TZ="))
    {
        Some(rest) => rest.split_once(' ').map_or("", |(_, rest)| rest.trim()),
        None => schedule,
    };
    if schedule.starts_with('@') {
        return named(schedule);
    }
    let fields: Vec<&str> = schedule.split_whitespace().collect();
    if fields.len() != FIELDS.len() {
        let (count, shown) = (fields.len(), fields.join(" "));
        return Err(format!("expected exactly 5 fields, found {count}: [{shown}]"));
    }
    for (field, bounds) in fields.iter().zip(FIELDS) {
        for range in field.split(',').filter(|range| !range.is_empty()) {
            check_range(range, bounds)?;
        }
    }
    Ok(())
}

fn named(schedule: &str) -> Result<(), String> {
    if NAMED.contains(&schedule) {
        return Ok(());
    }
    match schedule.strip_prefix("@every ") {
        Some(text) if kgen_cel::go_time::parse_duration(text).is_some() => Ok(()),
        Some(text) => Err(format!(
            "failed to parse duration {schedule}: time: invalid duration {}",
            kgen_schema::quoted(text)
        )),
        None => Err(format!("unrecognized descriptor: {schedule}")),
    }
}

fn check_range(range: &str, (first, last, names): (u32, u32, &[&str])) -> Result<(), String> {
    let parts: Vec<&str> = range.split('/').collect();
    let bounds: Vec<&str> = parts.first().unwrap_or(&"").split('-').collect();
    let number = |text: &str| match names.iter().position(|name| text.eq_ignore_ascii_case(name)) {
        Some(position) => Ok(first + u32::try_from(position).unwrap_or(0)),
        None => parse(text),
    };
    let (start, mut end) = match bounds.as_slice() {
        ["*" | "?", ..] => (first, last),
        [one] => (number(one)?, number(one)?),
        [start, end] => (number(start)?, number(end)?),
        _ => return Err(format!("too many hyphens: {range}")),
    };
    let step = match parts.as_slice() {
        [_] => 1,
        [_, step] => {
            if bounds.len() == 1 {
                end = last;
            }
            parse(step)?
        }
        _ => return Err(format!("too many slashes: {range}")),
    };
    if start < first {
        Err(format!(
            "beginning of range ({start}) below minimum ({first}): {range}"
        ))
    } else if end > last {
        Err(format!("end of range ({end}) above maximum ({last}): {range}"))
    } else if start > end {
        Err(format!(
            "beginning of range ({start}) beyond end of range ({end}): {range}"
        ))
    } else if step == 0 {
        Err(format!("step of range should be a positive number: {range}"))
    } else {
        Ok(())
    }
}

fn parse(text: &str) -> Result<u32, String> {
    match text.parse::<i64>() {
        Ok(number) if number < 0 => Err(format!("negative number ({number}) not allowed: {text}")),
        Ok(number) => Ok(u32::try_from(number).unwrap_or(u32::MAX)),
        Err(_) => Err(format!(
            "failed to parse int from {text}: strconv.Atoi: parsing {}: invalid syntax",
            kgen_schema::quoted(text)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn schedules_are_read_as_in_go() {
        for schedule in [
            "* * * * *",
            "*/5 0-6 1,15 JAN-mar sun",
            "@hourly",
            "@every 1h30m",
            "5/10 * ? * *",
        ] {
            assert_eq!(check(schedule), Ok(()), "{schedule}");
        }
        for (schedule, mistake) in [
            ("zz", "expected exactly 5 fields, found 1: [zz]"),
            ("60 * * * *", "end of range (60) above maximum (59): 60"),
            ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
            (
                "5-1 * * * *",
                "beginning of range (5) beyond end of range (1): 5-1",
            ),
            ("*/0 * * * *", "step of range should be a positive number: */0"),
            (
                "x * * * *",
                "failed to parse int from x: strconv.Atoi: parsing \"x\": invalid syntax",
            ),
            ("@never", "unrecognized descriptor: @never"),
        ] {
            assert_eq!(check(schedule), Err(mistake.to_owned()), "{schedule}");
        }
    }
}
