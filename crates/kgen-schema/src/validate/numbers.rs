//! Numbers: ranges, bounds and multiples.
//!
//! The API server has integers of 64 bits and floating-point numbers. Bounds are always floating-point numbers there, and
//! are cut to integers before an integer is compared with them.

use kgen_cel::JsonType;
use serde_json::{Number, Value};

use super::{Bound, Outcome, Problem};
use crate::go_text::printed_float;
use crate::path::Path;
use crate::schema::Schema;

/// 2⁶³, the first number beyond `int64`.
const BEYOND_INT64: f64 = 9_223_372_036_854_775_808.0;

pub(super) fn check(
    schema: &Schema,
    format: Option<&str>,
    number: &Number,
    path: &Path<'_>,
    outcome: &mut Outcome,
) {
    let (json_type, format) = match (schema.json_type, format) {
        _ if schema.int_or_string => ("", ""),
        (Some(JsonType::Integer), Some(format @ ("int32" | "int64"))) => ("integer", format),
        (Some(JsonType::Integer), _) => ("integer", ""),
        (Some(JsonType::Number), Some(format @ ("float" | "double"))) => ("number", format),
        (Some(JsonType::Number), _) => ("number", ""),
        _ => ("", ""),
    };
    let range = |bound: Option<Bound>| Problem::Range {
        json_type,
        format: format.to_owned(),
        bound,
    };
    let value = Num::of(number);
    if !value.is_within(json_type, format) {
        outcome.add(path, range(None));
    }
    let shown = || match value {
        Num::Integer(integer) => Value::from(integer),
        Num::Float(float) => Value::from(float),
    };
    // A bound that does not fit the type is reported, and the numbers are compared as floating-point numbers.
    let mut compare = |bound: Bound, limit: f64, check: &dyn Fn(Num, f64) -> Option<Problem>| {
        let fits = Num::Float(limit).is_within(json_type, format);
        if !fits {
            outcome.add(path, range(Some(bound)));
        }
        let compared = if fits { value } else { Num::Float(value.as_f64()) };
        if let Some(problem) = check(compared, limit) {
            outcome.add(path, problem);
        }
    };
    let limits = &schema.limits;
    if let Some(factor) = limits.multiple_of {
        compare(Bound::MultipleOf, factor, &|value, factor| {
            multiple(value, factor, shown())
        });
    }
    if let Some(minimum) = limits.minimum {
        let exclusive = limits.exclusive_minimum;
        compare(Bound::Minimum, minimum, &|value, minimum| {
            let (is_less, is_equal, bound) = order(value, minimum);
            (is_less || exclusive && is_equal).then(|| Problem::Minimum {
                bound,
                exclusive,
                value: shown(),
            })
        });
    }
    if let Some(maximum) = limits.maximum {
        let exclusive = limits.exclusive_maximum;
        compare(Bound::Maximum, maximum, &|value, maximum| {
            let (is_less, is_equal, bound) = order(value, maximum);
            (!is_less && !is_equal || exclusive && is_equal).then(|| Problem::Maximum {
                bound,
                exclusive,
                value: shown(),
            })
        });
    }
}

/// A number as the API server keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Num {
    Integer(i64),
    Float(f64),
}

impl Num {
    fn of(number: &Number) -> Self {
        match number.as_i64() {
            Some(integer) => Self::Integer(integer),
            None => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    fn as_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }

    /// Returns whether the number fits into the type and format of a schema.
    fn is_within(self, json_type: &str, format: &str) -> bool {
        match (json_type, format, self) {
            ("integer", "int32", Self::Integer(integer)) => i32::try_from(integer).is_ok(),
            ("integer", "int32", Self::Float(float)) => {
                is_integer_text(float) && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&float)
            }
            ("integer", _, Self::Float(float)) => {
                is_integer_text(float) && (-BEYOND_INT64..BEYOND_INT64).contains(&float)
            }
            (_, "float", number) => is_single(number.as_f64()),
            _ => true,
        }
    }
}

/// Returns whether a number can be rounded to a float of 32 bits.
fn is_single(number: f64) -> bool {
    (number as f32).is_finite()
}

/// Returns whether the API server prints a floating-point number without a point, so that it can be read as an integer.
fn is_integer_text(float: f64) -> bool {
    float.fract() == 0.0
}

/// Converts a floating-point number to an integer as Go does on the processors that API servers run on.
fn cut(float: f64) -> i64 {
    if (-BEYOND_INT64..BEYOND_INT64).contains(&float) {
        float as i64
    } else {
        i64::MIN
    }
}

/// Returns whether the number is less than the bound, whether it is equal, and the bound as text.
fn order(value: Num, bound: f64) -> (bool, bool, String) {
    match value {
        Num::Integer(integer) => {
            let bound = cut(bound);
            (integer < bound, integer == bound, bound.to_string())
        }
        Num::Float(float) => (float < bound, float == bound, printed_float(bound)),
    }
}

fn multiple(value: Num, factor: f64, shown: Value) -> Option<Problem> {
    match value {
        Num::Integer(integer) => {
            let factor = cut(factor);
            if factor <= 0 {
                return Some(Problem::MultipleOfNotPositive {
                    factor: Value::from(factor),
                });
            }
            (integer % factor != 0).then(|| Problem::MultipleOf {
                factor: factor.to_string(),
                value: shown,
            })
        }
        Num::Float(float) => {
            if factor <= 0.0 {
                return Some(Problem::MultipleOfNotPositive {
                    factor: Value::from(factor),
                });
            }
            let times = if factor < 1.0 {
                1.0 / factor * float
            } else {
                float / factor
            };
            (!is_json_integer(times)).then(|| Problem::MultipleOf {
                factor: printed_float(factor),
                value: Value::from(float),
            })
        }
    }
}

/// Returns whether a number counts as an integer: exactly, or up to the error of a few divisions.
fn is_json_integer(number: f64) -> bool {
    const EPSILON: f64 = 1e-9;
    if number.is_nan() || number.is_infinite() || number.abs() > 9_007_199_254_740_991.0 {
        return false;
    }
    let (size, whole) = (number.abs(), number.trunc().abs());
    let difference = (number - number.trunc()).abs();
    if number == number.trunc() {
        true
    } else if number == 0.0 || whole == 0.0 || difference < f64::MIN_POSITIVE {
        difference < EPSILON * f64::MIN_POSITIVE
    } else {
        difference / (size + whole).min(f64::MAX) < EPSILON
    }
}

/// Returns whether a value is a whole number.
pub(super) fn is_whole(value: &Value) -> bool {
    value.as_f64().is_some_and(is_json_integer)
}

/// Returns whether a value equals an allowed value after Go's conversion to the type of the latter.
pub(super) fn converts_to(value: &Value, allowed: &Value) -> bool {
    match (value, allowed) {
        (Value::Number(value), Value::Number(allowed)) => match (Num::of(value), Num::of(allowed)) {
            (Num::Float(value), Num::Integer(allowed)) => cut(value) == allowed,
            (Num::Integer(value), Num::Float(allowed)) => value as f64 == allowed,
            (value, allowed) => value == allowed,
        },
        // Go converts an integer to the character with that number.
        (Value::Number(value), Value::String(allowed)) => value.as_i64().is_some_and(|code| {
            let character = u32::try_from(code)
                .ok()
                .and_then(char::from_u32)
                .unwrap_or('\u{FFFD}');
            allowed.chars().eq([character])
        }),
        (value, allowed) => value == allowed,
    }
}
