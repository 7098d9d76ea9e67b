//! Floating-point numbers. Their results depend on their width, which is often known only where the value is used.

use std::cmp::Ordering;

use syn::BinOp;

/// A floating-point number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Float {
    /// A number whose type is not known yet, computed with both widths.
    Any { double: f64, single: f32 },
    /// An `f64`.
    Double(f64),
    /// An `f32`.
    Single(f32),
}

/// Two numbers are equal if they are written in the same way.
impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number()
    }
}

impl Float {
    /// Reads the digits of a literal with its suffix, which may be empty.
    pub(super) fn literal(digits: &str, suffix: &str) -> Option<Self> {
        let (double, single) = (digits.parse().ok()?, digits.parse().ok()?);
        Some(match suffix {
            "f32" => Self::Single(single),
            "f64" => Self::Double(double),
            _ => Self::Any { double, single },
        })
    }

    /// Returns the number, as JSON and `format!` show it: an `f32` has fewer digits.
    pub(crate) fn number(self) -> f64 {
        match self {
            Self::Any { double, .. } | Self::Double(double) => double,
            Self::Single(single) => single.to_string().parse().unwrap_or_else(|_| single.into()),
        }
    }

    /// Returns the number as an `f32`, where one is wanted or cast to.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "this is the rule of the cast that is evaluated"
    )]
    pub(super) fn to_single(self) -> Self {
        Self::Single(match self {
            Self::Any { single, .. } | Self::Single(single) => single,
            Self::Double(double) => double as f32,
        })
    }

    /// Returns the number as an `f64`, where one is wanted or cast to.
    pub(super) fn to_double(self) -> Self {
        Self::Double(match self {
            Self::Any { double, .. } | Self::Double(double) => double,
            Self::Single(single) => single.into(),
        })
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Any { double, single } => Self::Any {
                double: -double,
                single: -single,
            },
            Self::Double(double) => Self::Double(-double),
            Self::Single(single) => Self::Single(-single),
        }
    }

    /// Returns the result of an arithmetic operator. Returns `None` for other operators, and for numbers of different
    /// types.
    pub(super) fn combined(self, operator: &BinOp, other: Self) -> Option<Self> {
        let double = |left: f64, right: f64| match operator {
            BinOp::Add(_) => Some(left + right),
            BinOp::Sub(_) => Some(left - right),
            BinOp::Mul(_) => Some(left * right),
            BinOp::Div(_) => Some(left / right),
            _ => None,
        };
        let single = |left: f32, right: f32| match operator {
            BinOp::Add(_) => Some(left + right),
            BinOp::Sub(_) => Some(left - right),
            BinOp::Mul(_) => Some(left * right),
            BinOp::Div(_) => Some(left / right),
            _ => None,
        };
        Some(match Pair::of(self, other)? {
            Pair::Any(doubles, singles) => Self::Any {
                double: double(doubles.0, doubles.1)?,
                single: single(singles.0, singles.1)?,
            },
            Pair::Double(left, right) => Self::Double(double(left, right)?),
            Pair::Single(left, right) => Self::Single(single(left, right)?),
        })
    }

    /// Returns the order of two numbers. Returns `None` if it depends on their width, or if there is none.
    pub(super) fn compared(self, other: Self) -> Option<Ordering> {
        match Pair::of(self, other)? {
            Pair::Any(doubles, singles) => {
                let order = doubles.0.partial_cmp(&doubles.1)?;
                (singles.0.partial_cmp(&singles.1) == Some(order)).then_some(order)
            }
            Pair::Double(left, right) => left.partial_cmp(&right),
            Pair::Single(left, right) => left.partial_cmp(&right),
        }
    }
}

/// Two numbers of one type.
enum Pair {
    Any((f64, f64), (f32, f32)),
    Double(f64, f64),
    Single(f32, f32),
}

impl Pair {
    /// Returns `None` if the types differ.
    fn of(left: Float, right: Float) -> Option<Self> {
        Some(match (left, right) {
            (
                Float::Any { double, single },
                Float::Any {
                    double: other,
                    single: other_single,
                },
            ) => Self::Any((double, other), (single, other_single)),
            (Float::Double(left), Float::Double(right) | Float::Any { double: right, .. })
            | (Float::Any { double: left, .. }, Float::Double(right)) => Self::Double(left, right),
            (Float::Single(left), Float::Single(right) | Float::Any { single: right, .. })
            | (Float::Any { single: left, .. }, Float::Single(right)) => Self::Single(left, right),
            (Float::Single(_), Float::Double(_)) | (Float::Double(_), Float::Single(_)) => return None,
        })
    }
}
