//! Quantities as `resource.Quantity` of the API machinery reads and computes them.
//!
//! A small amount is a 64-bit integer with an exponent, a large one is a decimal number. Programs can tell the two
//! apart: only a small amount can be converted to an integer.

use std::cmp::Ordering;
use std::fmt::{self, Display};

use super::decimal::Decimal;

const FORMAT: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX: &str = "unable to parse quantity's suffix";
const NUMERIC: &str = "unable to parse numeric part of quantity";

/// The digits that always fit into a small amount.
const SAFE_DIGITS: i64 = 18;
/// The smallest unit is a billionth.
const NANO: i64 = 9;

/// An amount.
#[derive(Clone, Debug)]
pub(crate) struct Quantity(Amount);

#[derive(Clone, Debug)]
enum Amount {
    /// An integer, multiplied by ten to the power of the exponent.
    Small {
        value: i64,
        exponent: i32,
    },
    Large(Decimal),
}

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum QuantityError {
    /// The API server rejects it, with this message.
    Rejected(&'static str),
    /// It has more digits than this crate handles.
    TooLarge,
}

/// The meaning of a suffix.
enum Unit {
    Decimal(i32),
    Binary(u32),
}

impl Quantity {
    pub(crate) fn from_integer(value: i64) -> Self {
        Self(Amount::Small { value, exponent: 0 })
    }

    pub(crate) fn parse(text: &str) -> Result<Self, QuantityError> {
        if text.is_empty() {
            return Err(QuantityError::Rejected(FORMAT));
        }
        let parts = Parts::of(text).ok_or(QuantityError::Rejected(FORMAT))?;
        let unit = unit(parts.suffix).ok_or(QuantityError::Rejected(SUFFIX))?;
        if let Some(small) = parts.as_small(&unit) {
            return Ok(Self(small));
        }
        if !parts.has_digits {
            return Err(QuantityError::Rejected(NUMERIC));
        }
        let digits = parts.whole.bytes().chain(parts.fraction.bytes());
        let digits = digits.map(|byte| byte - b'0').collect();
        let scale = i64::try_from(parts.fraction.len()).unwrap_or(i64::MAX);
        let mut amount = match unit {
            Unit::Decimal(exponent) => Decimal::new(false, digits, scale.saturating_sub(i64::from(exponent))),
            Unit::Binary(exponent) => Decimal::new(false, digits, scale).shifted_left(exponent),
        };
        if !amount.is_zero() {
            amount = amount.rescaled(NANO).ok_or(QuantityError::TooLarge)?;
        }
        let most = Decimal::from_integer(i64::MAX, 0);
        if matches!(unit, Unit::Binary(_)) && amount.compare(&most).is_gt() {
            amount = most;
        }
        if parts.is_negative {
            amount = amount.negated();
        }
        Ok(Self(Amount::Large(amount)))
    }

    fn decimal(&self) -> Decimal {
        match &self.0 {
            Amount::Small { value, exponent } => Decimal::from_integer(*value, -i64::from(*exponent)),
            Amount::Large(decimal) => decimal.clone(),
        }
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        self.decimal().compare(&other.decimal())
    }

    /// Returns -1, 0 or 1.
    pub(crate) fn sign(&self) -> i64 {
        let decimal = self.decimal();
        match (decimal.is_zero(), decimal.is_negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// Returns the integer, if the amount is a small one without a fraction.
    pub(crate) fn as_integer(&self) -> Option<i64> {
        match &self.0 {
            Amount::Small { value, exponent: 0 } => Some(*value),
            Amount::Small { value, exponent } => scaled(*value, u32::try_from(*exponent).ok()?),
            Amount::Large(_) => None,
        }
    }

    /// Returns the nearest floating-point number, roughly.
    pub(crate) fn as_float(&self) -> f64 {
        let (base, exponent) = match &self.0 {
            Amount::Small { value, exponent } => (*value as f64, i64::from(*exponent)),
            Amount::Large(decimal) => {
                let size: f64 = decimal.digit_text().parse().unwrap_or(f64::INFINITY);
                let base = if decimal.is_negative { -size } else { size };
                (base, -decimal.scale)
            }
        };
        if exponent == 0 {
            base
        } else {
            base * power_of_ten(exponent)
        }
    }

    /// Adds two amounts. Returns `None` if there are too many digits.
    pub(crate) fn add(&self, other: &Self) -> Option<Self> {
        if let (
            Amount::Small { value, exponent },
            Amount::Small {
                value: other_value,
                exponent: other_exponent,
            },
        ) = (&self.0, &other.0)
            && let Some(sum) = add_small((*value, *exponent), (*other_value, *other_exponent))
        {
            return Some(Self(sum));
        }
        let sum = self.decimal().checked_add(&other.decimal())?;
        Some(Self(Amount::Large(sum)))
    }

    /// Subtracts an amount. Returns `None` if there are too many digits.
    pub(crate) fn subtract(&self, other: &Self) -> Option<Self> {
        self.add(&Self(match &other.0 {
            Amount::Small { value, exponent } => Amount::Small {
                value: value.wrapping_neg(),
                exponent: *exponent,
            },
            Amount::Large(decimal) => Amount::Large(decimal.negated()),
        }))
    }
}

/// Returns the form in which the API server stores and shows a quantity: `1500m` for `1.5`, `1Gi` for `1024Mi`.
///
/// # Errors
///
/// Returns the message of the API server if the text is not a quantity.
///
/// ```
/// assert_eq!(kgen_cel::canonical_quantity("1.5").as_deref(), Ok("1500m"));
/// assert!(kgen_cel::canonical_quantity("much").is_err());
/// ```
pub fn canonical_quantity(text: &str) -> Result<String, &'static str> {
    let quantity = match Quantity::parse(text) {
        Ok(quantity) => quantity,
        Err(QuantityError::Rejected(message)) => return Err(message),
        Err(QuantityError::TooLarge) => return Ok(text.to_owned()),
    };
    let parts = Parts::of(text).ok_or(FORMAT)?;
    let unit = unit(parts.suffix).ok_or(SUFFIX)?;
    let is_kept = matches!(quantity.0, Amount::Small { .. }) && parts.are_canonical(&unit);
    Ok(if is_kept {
        text.to_owned()
    } else {
        quantity.canonical(&unit, parts.suffix)
    })
}

/// Compares two quantities. Returns `None` if a text is not a quantity.
pub fn compare_quantities(left: &str, right: &str) -> Option<Ordering> {
    let (left, right) = (Quantity::parse(left).ok()?, Quantity::parse(right).ok()?);
    Some(left.compare(&right))
}

impl Quantity {
    /// Writes the amount with the suffixes of a unit: powers of 1000, of 1024, or exponents.
    fn canonical(&self, unit: &Unit, suffix: &str) -> String {
        let decimal = self.decimal();
        if decimal.is_zero() {
            return "0".to_owned();
        }
        let sign = if decimal.is_negative { "-" } else { "" };
        let mut digits = decimal.digit_text();
        let zeros = digits.len() - digits.trim_end_matches('0').len();
        digits.truncate(digits.len() - zeros);
        let mut exponent = i64::try_from(zeros).unwrap_or(0) - decimal.scale;
        if matches!(unit, Unit::Binary(_))
            && let Ok(zeros) = usize::try_from(exponent)
            && let Ok(mut amount) = format!("{digits}{}", "0".repeat(zeros.min(40))).parse::<u128>()
            && amount >= 1024
        {
            let mut times = 0;
            while amount % 1024 == 0 {
                amount /= 1024;
                times += 1;
            }
            let suffix = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].get(times);
            return format!("{sign}{amount}{}", suffix.copied().unwrap_or_default());
        }
        while exponent % 3 != 0 {
            digits.push('0');
            exponent -= 1;
        }
        let has_exponent = suffix.len() > 1 && suffix.starts_with(['e', 'E']) && suffix != "Ei";
        let suffix = match exponent {
            0 => String::new(),
            _ if has_exponent => format!("e{exponent}"),
            -9 => "n".to_owned(),
            -6 => "u".to_owned(),
            -3 => "m".to_owned(),
            3 => "k".to_owned(),
            6 => "M".to_owned(),
            9 => "G".to_owned(),
            12 => "T".to_owned(),
            15 => "P".to_owned(),
            18 => "E".to_owned(),
            // Go drops a suffix that it does not have.
            _ => String::new(),
        };
        format!("{sign}{digits}{suffix}")
    }
}

impl Display for Quantity {
    /// Writes the amount without an exponent and without zeros at the end.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimal = self.decimal();
        let mut digits = decimal.digit_text();
        let sign = if decimal.is_negative { "-" } else { "" };
        if decimal.is_zero() {
            return formatter.write_str("0");
        }
        let Ok(scale) = usize::try_from(decimal.scale) else {
            let zeros = usize::try_from(decimal.scale.unsigned_abs())
                .unwrap_or(0)
                .min(10_000);
            return write!(formatter, "{sign}{digits}{}", "0".repeat(zeros));
        };
        if digits.len() <= scale {
            digits.insert_str(0, &"0".repeat(scale + 1 - digits.len()));
        }
        let (whole, fraction) = digits
            .split_at_checked(digits.len() - scale)
            .unwrap_or((&digits, ""));
        match fraction.trim_end_matches('0') {
            "" => write!(formatter, "{sign}{whole}"),
            fraction => write!(formatter, "{sign}{whole}.{fraction}"),
        }
    }
}

/// The parts of a text.
struct Parts<'t> {
    is_negative: bool,
    /// Without zeros at the start; `0` if there are no other digits.
    whole: &'t str,
    fraction: &'t str,
    suffix: &'t str,
    has_digits: bool,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let stripped = unsigned.trim_start_matches('0');
        let rest = stripped.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let whole = stripped.get(..stripped.len() - rest.len())?;
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(behind) => {
                let suffix = behind.trim_start_matches(|letter: char| letter.is_ascii_digit());
                (behind.get(..behind.len() - suffix.len())?, suffix)
            }
            None => ("", rest),
        };
        let exponent = suffix.trim_start_matches(|letter: char| "eEinumkKMGTP".contains(letter));
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let is_whole = exponent.bytes().all(|byte| byte.is_ascii_digit());
        is_whole.then_some(Self {
            is_negative: text.starts_with('-'),
            whole: if whole.is_empty() { "0" } else { whole },
            fraction,
            suffix,
            has_digits: stripped.len() < unsigned.len() || !whole.is_empty() || !fraction.is_empty(),
        })
    }

    /// Returns whether a small amount of these parts is shown as it was written.
    fn are_canonical(&self, unit: &Unit) -> bool {
        let digits = format!("{}{}", self.whole, self.fraction);
        match unit {
            Unit::Binary(_) => digits.parse::<i64>().is_ok_and(|value| value & 7 != 0),
            Unit::Decimal(exponent) => {
                let places = i64::try_from(self.fraction.len()).unwrap_or(i64::MAX);
                i64::from(*exponent).saturating_sub(places) % 3 == 0
                    && !digits.ends_with("000")
                    && !digits.starts_with('0')
            }
        }
    }

    /// Returns the small amount that the parts surely fit into.
    fn as_small(&self, unit: &Unit) -> Option<Amount> {
        let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
        let (precision, exponent, factor) = match unit {
            Unit::Decimal(exponent) => (
                SAFE_DIGITS - length(self.whole) - length(self.fraction),
                *exponent,
                1,
            ),
            Unit::Binary(bits) if self.fraction.is_empty() => (
                // Ten bits are about three digits.
                15 - length(self.whole) - i64::from(bits * 3 / 10) - 1,
                0,
                1_i64 << bits,
            ),
            Unit::Binary(_) => return None,
        };
        let exponent = exponent.wrapping_sub(i32::try_from(self.fraction.len()).ok()?);
        if precision < 0 || i64::from(exponent) < -NANO {
            return None;
        }
        let digits = format!("{}{}", self.whole, self.fraction);
        let value = digits.parse::<i64>().ok()?.checked_mul(factor)?;
        let value = if self.is_negative { -value } else { value };
        Some(Amount::Small { value, exponent })
    }
}

fn unit(suffix: &str) -> Option<Unit> {
    Some(match suffix {
        "" => Unit::Decimal(0),
        "n" => Unit::Decimal(-9),
        "u" => Unit::Decimal(-6),
        "m" => Unit::Decimal(-3),
        "k" => Unit::Decimal(3),
        "M" => Unit::Decimal(6),
        "G" => Unit::Decimal(9),
        "T" => Unit::Decimal(12),
        "P" => Unit::Decimal(15),
        "E" => Unit::Decimal(18),
        "Ki" => Unit::Binary(10),
        "Mi" => Unit::Binary(20),
        "Gi" => Unit::Binary(30),
        "Ti" => Unit::Binary(40),
        "Pi" => Unit::Binary(50),
        "Ei" => Unit::Binary(60),
        _ => {
            let exponent: i64 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
            // The API server cuts the number to 32 bits, too.
            Unit::Decimal(exponent as i32)
        }
    })
}

/// Multiplies by a power of ten. Returns `None` if the result does not fit.
fn scaled(value: i64, exponent: u32) -> Option<i64> {
    if value == 0 {
        return Some(0);
    }
    value.checked_mul(10_i64.checked_pow(exponent)?)
}

fn add_small(left: (i64, i32), right: (i64, i32)) -> Option<Amount> {
    let (value, exponent) = match (left, right) {
        (left, (0, _)) => left,
        ((0, _), right) => right,
        ((left, exponent), (right, other)) => {
            let common = exponent.min(other);
            let distance = |exponent: i32| u32::try_from(exponent.checked_sub(common)?).ok();
            let left = scaled(left, distance(exponent)?)?;
            let right = scaled(right, distance(other)?)?;
            (left.checked_add(right)?, common)
        }
    };
    Some(Amount::Small { value, exponent })
}

/// Returns a power of ten as Go's `math.Pow10` does, which multiplies two powers.
fn power_of_ten(exponent: i64) -> f64 {
    let power = |exponent: u64| format!("1e{exponent}").parse::<f64>().unwrap_or(f64::INFINITY);
    let (coarse, fine) = (exponent.unsigned_abs() / 32 * 32, exponent.unsigned_abs() % 32);
    match exponent {
        309.. => f64::INFINITY,
        0..=308 => power(coarse) * power(fine),
        -323..0 => format!("1e-{coarse}").parse::<f64>().unwrap_or(0.0) / power(fine),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_shown_as_the_api_server_shows_them() {
        for (text, expected) in [
            ("1", "1"),
            ("0", "0"),
            ("0m", "0"),
            ("0.5", "500m"),
            ("1.5", "1500m"),
            ("1000m", "1"),
            ("100m", "100m"),
            ("1024Mi", "1Gi"),
            ("1536Mi", "1536Mi"),
            ("1025Ki", "1025Ki"),
            ("0.5Gi", "512Mi"),
            ("1.5Gi", "1536Mi"),
            ("0.5Ki", "512"),
            ("0.0001Ki", "102400u"),
            ("1000", "1k"),
            ("1000k", "1M"),
            ("128974848", "128974848"),
            ("129e6", "129e6"),
            ("1e3", "1e3"),
            ("1000e3", "1e6"),
            ("123000000000000000000000000", "123"),
            ("-1.5", "-1500m"),
            ("+1", "+1"),
            ("0.1n", "1n"),
            ("16Ei", "9223372036854775807"),
        ] {
            assert_eq!(canonical_quantity(text).as_deref(), Ok(expected), "{text}");
        }
        for (text, message) in [
            ("", FORMAT),
            ("abc", FORMAT),
            ("1 Gi", FORMAT),
            ("1Mb", FORMAT),
            ("1KK", SUFFIX),
        ] {
            assert_eq!(canonical_quantity(text), Err(message), "{text}");
        }
    }
}
