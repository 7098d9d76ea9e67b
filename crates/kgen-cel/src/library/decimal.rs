//! Decimal numbers of any size, as far as quantities need them.

use std::cmp::Ordering;

/// The most digits that a number may have. Only absurd exponents need more.
const MOST_DIGITS: usize = 10_000;

/// A number: its digits, divided by ten to the power of its scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) is_negative: bool,
    /// The most significant digit first, without zeros at the start. Zero has no digits.
    pub(super) digits: Vec<u8>,
    pub(super) scale: i64,
}

impl Decimal {
    pub(super) fn new(is_negative: bool, digits: Vec<u8>, scale: i64) -> Self {
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        let digits = digits.get(zeros..).unwrap_or_default().to_vec();
        Self {
            is_negative: is_negative && !digits.is_empty(),
            digits,
            scale,
        }
    }

    pub(super) fn from_integer(value: i64, scale: i64) -> Self {
        let digits = value.unsigned_abs().to_string();
        let digits = digits.bytes().map(|byte| byte - b'0').collect();
        Self::new(value < 0, digits, scale)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Multiplies by a power of two.
    pub(super) fn shifted_left(mut self, bits: u32) -> Self {
        for _ in 0..bits {
            let mut carry = 0;
            for digit in self.digits.iter_mut().rev() {
                let doubled = *digit * 2 + carry;
                (*digit, carry) = (doubled % 10, doubled / 10);
            }
            if carry > 0 {
                self.digits.insert(0, carry);
            }
        }
        self
    }

    /// Changes the scale, and rounds away from zero where digits are lost. Returns `None` if there are too many digits.
    pub(super) fn rescaled(&self, scale: i64) -> Option<Self> {
        let added = scale.checked_sub(self.scale)?;
        if self.is_zero() {
            return Some(Self {
                scale,
                ..self.clone()
            });
        }
        let mut digits = self.digits.clone();
        if let Ok(added) = usize::try_from(added) {
            let length = digits
                .len()
                .checked_add(added)
                .filter(|length| *length <= MOST_DIGITS)?;
            digits.resize(length, 0);
            return Some(Self::new(self.is_negative, digits, scale));
        }
        let removed = usize::try_from(added.unsigned_abs()).ok()?;
        let kept = digits.len().saturating_sub(removed);
        let is_exact = digits.iter().skip(kept).all(|digit| *digit == 0);
        digits.truncate(kept);
        if !is_exact {
            increment(&mut digits);
        }
        Some(Self::new(self.is_negative, digits, scale))
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.is_zero(), number.is_negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let (own, others) = (sign(self), sign(other));
        if own != others || own == 0 {
            return own.cmp(&others);
        }
        let order = self.compare_size(other);
        if self.is_negative { order.reverse() } else { order }
    }

    /// Compares without the signs. Neither number is zero.
    fn compare_size(&self, other: &Self) -> Ordering {
        let magnitude = |number: &Self| {
            let length = i64::try_from(number.digits.len()).unwrap_or(i64::MAX);
            length.saturating_sub(number.scale)
        };
        magnitude(self).cmp(&magnitude(other)).then_with(|| {
            // The first digits are worth the same, so the shorter number continues with zeros.
            let length = self.digits.len().max(other.digits.len());
            let padded = |number: &Self| {
                let mut digits = number.digits.clone();
                digits.resize(length, 0);
                digits
            };
            padded(self).cmp(&padded(other))
        })
    }

    /// Adds two numbers. Returns `None` if there are too many digits.
    pub(super) fn checked_add(&self, other: &Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let (left, right) = (self.rescaled(scale)?, other.rescaled(scale)?);
        if left.is_negative == right.is_negative {
            return Some(Self::new(
                left.is_negative,
                add(&left.digits, &right.digits),
                scale,
            ));
        }
        let (larger, smaller) = match compare_digits(&left.digits, &right.digits) {
            Ordering::Less => (right, left),
            _ => (left, right),
        };
        let digits = subtract(&larger.digits, &smaller.digits);
        Some(Self::new(larger.is_negative, digits, scale))
    }

    pub(super) fn negated(&self) -> Self {
        Self::new(!self.is_negative, self.digits.clone(), self.scale)
    }

    /// Returns the digits as text.
    pub(super) fn digit_text(&self) -> String {
        if self.is_zero() {
            return "0".to_owned();
        }
        self.digits.iter().map(|digit| char::from(b'0' + digit)).collect()
    }
}

fn increment(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    digits.insert(0, 1);
}

fn compare_digits(left: &[u8], right: &[u8]) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

fn add(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut sum = Vec::with_capacity(left.len().max(right.len()) + 1);
    for place in 0..left.len().max(right.len()) {
        let digit = |digits: &[u8]| digits.iter().rev().nth(place).copied().unwrap_or(0);
        let total = digit(left) + digit(right) + carry;
        sum.push(total % 10);
        carry = total / 10;
    }
    sum.push(carry);
    sum.reverse();
    sum
}

/// Subtracts a number that is not larger.
fn subtract(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let mut difference = Vec::with_capacity(left.len());
    for place in 0..left.len() {
        let digit = |digits: &[u8]| digits.iter().rev().nth(place).copied().unwrap_or(0);
        let (from, taken) = (digit(left), digit(right) + borrow);
        borrow = u8::from(from < taken);
        difference.push(from + 10 * borrow - taken);
    }
    difference.reverse();
    difference
}
