//! The least and the most that something can cost, or how small and large a value can be.

/// How much a character costs when a text is gone through.
pub(super) const TRAVERSAL: f64 = 0.1;
/// How much a character of a regular expression costs for each character of the text.
pub(super) const REGEX: f64 = 0.25;

/// A range of costs or sizes. What passes the largest number stays there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Range {
    pub(super) const NONE: Self = Self::exactly(0);
    pub(super) const ONE: Self = Self::exactly(1);
    pub(super) const UNKNOWN: Self = Self::new(0, u64::MAX);
    /// Holds nothing, so that joining it with another range gives that one.
    pub(super) const EMPTY: Self = Self::new(u64::MAX, 0);

    pub(super) const fn new(least: u64, most: u64) -> Self {
        Self { least, most }
    }

    pub(super) const fn exactly(number: u64) -> Self {
        Self::new(number, number)
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self::new(
            self.least.saturating_add(other.least),
            self.most.saturating_add(other.most),
        )
    }

    pub(super) const fn times(self, other: Self) -> Self {
        Self::new(
            self.least.saturating_mul(other.least),
            self.most.saturating_mul(other.most),
        )
    }

    /// Each end times a factor, rounded up.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self::new(scaled(self.least, factor), scaled(self.most, factor))
    }

    /// The smallest range that holds both.
    pub(super) fn joined(self, other: Self) -> Self {
        Self::new(self.least.min(other.least), self.most.max(other.most))
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the API server rounds in the same way, and conversions of floats stop at the ends"
)]
fn scaled(number: u64, factor: f64) -> u64 {
    (number as f64 * factor).ceil() as u64
}
