//! A bound in a schema: an integer kept exactly, or a fraction.

use std::cmp::Ordering;

use serde_json::Value;

/// A number as Kubernetes schemas have them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Integer(i64),
    /// Anything else that is finite.
    Float(f64),
}

impl Number {
    /// Converts a float: whole numbers become integers. Returns `None` if it is not finite.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        // Both limits are exactly representable as f64; the upper one is already beyond i64.
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        if value.fract() == 0.0 && (-LIMIT..LIMIT).contains(&value) {
            #[expect(clippy::cast_possible_truncation, reason = "the range was just checked")]
            return Some(Self::Integer(value as i64));
        }
        Some(Self::Float(value))
    }

    /// Returns the number in a JSON value, if it is one.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<Self> {
        value
            .as_i64()
            .map(Self::Integer)
            .or_else(|| value.as_f64().and_then(Self::from_f64))
    }

    /// Returns the number as JSON.
    #[must_use]
    pub fn to_json(self) -> Value {
        match self {
            Self::Integer(value) => Value::from(value),
            Self::Float(value) => Value::from(value),
        }
    }

    /// Returns the number as JSON in the form of Kubernetes' bounds: as a float, with the fewest digits that identify
    /// it. Go parses these digits again before it writes YAML, so a number that does not fit an integer gets an
    /// exponent there.
    #[must_use]
    pub fn to_json_bound(self) -> Value {
        let float = self.as_f64();
        if float.fract() != 0.0 || float.abs() >= 1e21 {
            return Value::from(float);
        }
        let digits = format!("{float}");
        digits
            .parse::<i64>()
            .map(Value::from)
            .or_else(|_| digits.parse::<u64>().map(Value::from))
            .unwrap_or_else(|_| Value::from(float))
    }

    /// Returns the number as a float, rounded if necessary.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "the caller asks for a float")]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Returns whether it is a whole number.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Self::Integer(_))
    }

    /// Compares two numbers.
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => left.cmp(&right),
            (left, right) => left.as_f64().total_cmp(&right.as_f64()),
        }
    }

    /// Returns whether `value` is a multiple of `self`.
    #[must_use]
    pub fn divides(self, value: Self) -> bool {
        match (self, value) {
            (Self::Integer(0), _) => false,
            (Self::Integer(divisor), Self::Integer(value)) => {
                value.checked_rem(divisor).is_none_or(|rest| rest == 0)
            }
            (divisor, value) => {
                let quotient = value.as_f64() / divisor.as_f64();
                (quotient - quotient.round()).abs() < 1e-9
            }
        }
    }

    /// Returns the least common multiple of two positive integers; `None` for fractions and overflows.
    #[must_use]
    pub fn least_common_multiple(self, other: Self) -> Option<Self> {
        let (Self::Integer(left), Self::Integer(right)) = (self, other) else {
            return None;
        };
        let (mut a, mut b) = (left.checked_abs()?, right.checked_abs()?);
        if a == 0 || b == 0 {
            return None;
        }
        let product_part = a;
        while b != 0 {
            (a, b) = (b, a % b);
        }
        (product_part / a)
            .checked_mul(right.checked_abs()?)
            .map(Self::Integer)
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Float(value) => write!(formatter, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_floats_are_integers() {
        assert_eq!(Number::from_f64(3.0), Some(Number::Integer(3)));
        assert_eq!(Number::from_f64(0.5), Some(Number::Float(0.5)));
        assert_eq!(Number::from_f64(f64::NAN), None);
        assert_eq!(Number::from_f64(1e300), Some(Number::Float(1e300)));
    }

    #[test]
    fn bounds_are_written_as_the_floats_that_they_are() {
        let written = |number: Number| number.to_json_bound().to_string();
        assert_eq!(written(Number::Integer(-90)), "-90");
        assert_eq!(written(Number::Float(0.05)), "0.05");
        assert_eq!(
            written(Number::Integer(9_007_199_254_740_991)),
            "9007199254740991"
        );
        assert_eq!(
            written(Number::Integer(9_007_199_254_740_993)),
            "9007199254740992"
        );
        assert_eq!(
            written(Number::Integer(9_223_372_036_854_774_784)),
            "9223372036854775000"
        );
        assert_eq!(written(Number::Integer(i64::MIN)), "-9.223372036854776e+18");
        assert_eq!(written(Number::Float(1e19)), "10000000000000000000");
        assert_eq!(written(Number::Float(1e21)), "1e+21");
    }

    #[test]
    fn the_least_common_multiple_of_integers() {
        assert_eq!(
            Number::Integer(4).least_common_multiple(Number::Integer(6)),
            Some(Number::Integer(12))
        );
        assert_eq!(
            Number::Integer(i64::MAX).least_common_multiple(Number::Integer(2)),
            None
        );
        assert_eq!(Number::Float(0.5).least_common_multiple(Number::Integer(2)), None);
    }

    #[test]
    fn divisors() {
        assert!(Number::Integer(5).divides(Number::Integer(-10)));
        assert!(!Number::Integer(0).divides(Number::Integer(1)));
        assert!(Number::Float(0.1).divides(Number::Float(0.3)));
        assert!(Number::Integer(-1).divides(Number::Integer(i64::MIN)));
    }
}
