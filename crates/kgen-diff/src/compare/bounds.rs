//! Compares bounds of numbers, and lengths and counts.
//!
//! Bounds of integers are compared as ranges, so that `Minimum=1` equals an exclusive minimum of 0. `int32` and `int64`
//! are bounds, too, because the API server checks them.

use kgen_model::{Constraints, JsonType, Number, Schema};

/// In which directions something changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) tightened: bool,
    pub(super) loosened: bool,
}

impl Direction {
    pub(super) fn join(self, other: Self) -> Self {
        Self {
            tightened: self.tightened || other.tightened,
            loosened: self.loosened || other.loosened,
        }
    }

    /// Compares two lower bounds, or the negatives of two upper bounds.
    fn of_least<T: PartialOrd>(old: &Option<T>, new: &Option<T>) -> Self {
        match (old, new) {
            (Some(old), Some(new)) => Self {
                tightened: new > old,
                loosened: new < old,
            },
            (None, Some(_)) => Self {
                tightened: true,
                loosened: false,
            },
            (Some(_), None) => Self {
                tightened: false,
                loosened: true,
            },
            (None, None) => Self::default(),
        }
    }
}

/// Returns the constraints of a schema and of the parts of `allOf` that have only constraints.
pub(super) fn levels(schema: &Schema) -> impl Iterator<Item = &Constraints> {
    let own: &Constraints = &schema.constraints;
    let parts = own.all_of.iter().filter(|part| is_plain(part));
    std::iter::once(own).chain(parts.map(|part| &*part.constraints))
}

/// Returns whether a part of `allOf` has only constraints.
pub(super) fn is_plain(part: &Schema) -> bool {
    part.json_type.is_none()
        && part.properties.is_empty()
        && part.required.is_empty()
        && part.items.is_none()
        && part.additional_properties.is_none()
        && part.any_of.is_empty()
        && part.one_of.is_empty()
        && part.not.is_none()
        && part.constraints.all_of.is_empty()
}

/// Compares everything that counts as a bound.
pub(super) fn compare(old: &Schema, new: &Schema) -> Direction {
    numbers(old, new).join(multiples(old, new)).join(counts(old, new))
}

fn numbers(old: &Schema, new: &Schema) -> Direction {
    // A schema without a type accepts fractions, too.
    let is_number = |schema: &Schema| {
        schema.json_type == Some(JsonType::Number) || schema.json_type.is_none() && !schema.int_or_string
    };
    if is_number(old) || is_number(new) {
        let (old, new) = (floats(old), floats(new));
        return Direction::of_least(&old.0, &new.0).join(Direction::of_least(&old.1, &new.1));
    }
    let (old, new) = (integers(old), integers(new));
    Direction::of_least(&old.0, &new.0).join(Direction::of_least(&old.1, &new.1))
}

/// Returns the least integer, and the negative of the greatest one.
fn integers(schema: &Schema) -> (Option<i128>, Option<i128>) {
    let (mut least, mut most): (Option<i128>, Option<i128>) = (None, None);
    let raise =
        |bound: &mut Option<i128>, value: i128| *bound = Some(bound.map_or(value, |bound| bound.max(value)));
    if schema.json_type == Some(JsonType::Integer) || schema.int_or_string {
        // Without a format, the API server also reads 64 bits.
        let (low, high) = match schema.format() {
            Some("int32") if !schema.int_or_string => (i128::from(i32::MIN), i128::from(i32::MAX)),
            _ => (i128::from(i64::MIN), i128::from(i64::MAX)),
        };
        raise(&mut least, low);
        raise(&mut most, -high);
    }
    for level in levels(schema) {
        if let Some(minimum) = level.minimum {
            let value = up(minimum);
            let is_excluded = level.exclusive_minimum && is_whole(minimum);
            raise(&mut least, value + i128::from(is_excluded));
        }
        if let Some(maximum) = level.maximum {
            let value = -up(negative(maximum));
            let is_excluded = level.exclusive_maximum && is_whole(maximum);
            raise(&mut most, -(value - i128::from(is_excluded)));
        }
    }
    (least, most)
}

fn is_whole(number: Number) -> bool {
    number.as_f64().fract() == 0.0
}

fn negative(number: Number) -> Number {
    match number {
        Number::Integer(value) => value
            .checked_neg()
            .map_or(Number::Float(-number.as_f64()), Number::Integer),
        Number::Float(value) => Number::Float(-value),
    }
}

/// Returns the least integer that is not less than a number.
fn up(number: Number) -> i128 {
    match number {
        Number::Integer(value) => value.into(),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "saturates far beyond the range of integers"
        )]
        Number::Float(value) => value.ceil() as i128,
    }
}

/// Returns the least number, and the negative of the greatest one, each with whether it is excluded.
type Range = (Option<(f64, bool)>, Option<(f64, bool)>);

fn floats(schema: &Schema) -> Range {
    if schema.json_type == Some(JsonType::Integer) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "bounds of integers as bounds of numbers"
        )]
        let float = |bound: Option<i128>| {
            let edge = -i128::from(i64::MAX);
            bound
                .filter(|bound| *bound > edge)
                .map(|bound| (bound as f64, false))
        };
        let (least, most) = integers(schema);
        // A wider type does not loosen a bound; the change of the type says it.
        let is_implied = |bound: &(f64, bool)| {
            let is_32 = schema.format() == Some("int32");
            !(is_32 && (bound.0 == f64::from(i32::MIN) || bound.0 == -f64::from(i32::MAX)))
        };
        return (float(least).filter(is_implied), float(most).filter(is_implied));
    }
    let raise = |bound: &mut Option<(f64, bool)>, value: (f64, bool)| {
        if bound.is_none_or(|bound| value > bound) {
            *bound = Some(value);
        }
    };
    let (mut least, mut most) = (None, None);
    for level in levels(schema) {
        if let Some(minimum) = level.minimum {
            raise(&mut least, (minimum.as_f64(), level.exclusive_minimum));
        }
        if let Some(maximum) = level.maximum {
            raise(&mut most, (-maximum.as_f64(), level.exclusive_maximum));
        }
    }
    (least, most)
}

fn multiples(old: &Schema, new: &Schema) -> Direction {
    let factors = |schema: &Schema| -> Vec<f64> {
        let is_integer = schema.json_type == Some(JsonType::Integer);
        let factors = levels(schema).filter_map(|level| level.multiple_of.map(Number::as_f64));
        // Every integer is a multiple of one.
        factors.filter(|factor| !(is_integer && *factor == 1.0)).collect()
    };
    let is_implied = |factor: f64, known: &[f64]| known.iter().any(|known| (known / factor).fract() == 0.0);
    let (old, new) = (factors(old), factors(new));
    Direction {
        tightened: new.iter().any(|factor| !is_implied(*factor, &old)),
        loosened: old.iter().any(|factor| !is_implied(*factor, &new)),
    }
}

fn counts(old: &Schema, new: &Schema) -> Direction {
    type Read = fn(&Constraints) -> Option<i64>;
    let least: [Read; 3] = [|c| c.min_length, |c| c.min_items, |c| c.min_properties];
    let most: [Read; 3] = [|c| c.max_length, |c| c.max_items, |c| c.max_properties];
    let mut direction = Direction::default();
    for read in least {
        let bound = |schema: &Schema| levels(schema).filter_map(read).max().filter(|bound| *bound > 0);
        direction = direction.join(Direction::of_least(&bound(old), &bound(new)));
    }
    for read in most {
        let bound = |schema: &Schema| levels(schema).filter_map(read).min().map(|bound| -bound);
        direction = direction.join(Direction::of_least(&bound(old), &bound(new)));
    }
    direction
}
