//! Functions on timestamps and durations, and their arithmetic.

use crate::go_time::{Civil, Timestamp, ZoneError, offset_at};

use super::operators::overflow;
use super::{EvaluateError, Outcome, Value, fail, fail_alike};

const SECOND: i64 = 1_000_000_000;

/// Calls a function. Returns `None` if it is not a function on times.
pub(super) fn call(function: &str, values: &[Value]) -> Option<Outcome> {
    match values {
        [Value::Timestamp(timestamp)] => part(function, *timestamp, 0),
        [Value::Timestamp(timestamp), Value::String(zone)] => {
            // Other functions are not called, even if the zone is not valid.
            let _ = part(function, *timestamp, 0)?;
            match offset_at(zone, timestamp.unix_seconds()) {
                Ok(offset) => part(function, *timestamp, offset),
                Err(ZoneError::Rejected(message)) => Some(fail_alike(message)),
                Err(ZoneError::NotKnown) => Some(Err(EvaluateError::NotKnown)),
            }
        }
        [Value::Duration(nanoseconds)] => {
            let unit = match function {
                "getHours" => 3600 * SECOND,
                "getMinutes" => 60 * SECOND,
                "getSeconds" => SECOND,
                "getMilliseconds" => SECOND / 1000,
                _ => return None,
            };
            Some(Ok(Value::Int(nanoseconds / unit)))
        }
        _ => None,
    }
}

fn part(function: &str, timestamp: Timestamp, offset: i64) -> Option<Outcome> {
    let civil: Civil = timestamp.civil(offset);
    Some(Ok(Value::Int(match function {
        "getFullYear" => civil.year,
        "getMonth" => civil.month - 1,
        "getDate" => civil.day,
        "getDayOfMonth" => civil.day - 1,
        "getDayOfWeek" => civil.weekday,
        "getDayOfYear" => civil.day_of_year,
        "getHours" => civil.hour,
        "getMinutes" => civil.minute,
        "getSeconds" => civil.second,
        "getMilliseconds" => i64::from(timestamp.nanoseconds() / 1_000_000),
        _ => return None,
    })))
}

/// Adds or subtracts times. Returns `None` if the values are not times.
pub(super) fn arithmetic(operator: &str, left: &Value, right: &Value) -> Option<Outcome> {
    let too_large = || overflow("integer overflow");
    let duration = |nanoseconds: Option<i64>| {
        nanoseconds.map_or_else(too_large, |duration| Ok(Value::Duration(duration)))
    };
    let timestamp = |timestamp: Option<Timestamp>| match timestamp {
        Some(timestamp) => Ok(Value::Timestamp(timestamp)),
        None => fail("the time is out of range", "timestamp overflow"),
    };
    Some(match (operator, left, right) {
        ("_+_", Value::Duration(left), Value::Duration(right)) => duration(left.checked_add(*right)),
        ("_-_", Value::Duration(left), Value::Duration(right)) => duration(left.checked_sub(*right)),
        ("_+_", Value::Timestamp(time), Value::Duration(span))
        | ("_+_", Value::Duration(span), Value::Timestamp(time)) => timestamp(time.checked_add(*span)),
        ("_-_", Value::Timestamp(time), Value::Duration(span)) => match span.checked_neg() {
            Some(span) => timestamp(time.checked_add(span)),
            None => too_large(),
        },
        ("_-_", Value::Timestamp(left), Value::Timestamp(right)) => duration(left.checked_since(*right)),
        _ => return None,
    })
}
