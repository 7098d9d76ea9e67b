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

/// Compares everything that counts as a bound of values that both schemas may have.
pub(super) fn compare(old: &Schema, new: &Schema) -> Direction {
    let both = |json_type| can_be(old, json_type) && can_be(new, json_type);
    let mut direction = Direction::default();
    if both(JsonType::Integer) {
        direction = direction.join(numbers(old, new)).join(multiples(old, new));
    }
    for (json_type, least, most) in COUNTS {
        if both(json_type) {
            direction = direction.join(counts(old, new, least, most));
        }
    }
    direction
}

/// Returns whether the type of a schema allows values of a type. Integers are numbers, too.
pub(super) fn can_be(schema: &Schema, json_type: JsonType) -> bool {
    let is_number = |json_type| matches!(json_type, JsonType::Integer | JsonType::Number);
    match schema.json_type {
        _ if schema.int_or_string => is_number(json_type) || json_type == JsonType::String,
        None => true,
        Some(own) => own == json_type || is_number(own) && is_number(json_type),
    }
}

fn numbers(old: &Schema, new: &Schema) -> Direction {
    // A schema without a type accepts fractions, too.
    let is_number = |schema: &Schema| {
        schema.json_type == Some(JsonType::Number) || schema.json_type.is_none() && !schema.int_or_string
    };
    type Ends = (Option<i128>, Option<i128>);
    let of_integers =
        |old: Ends, new: Ends| Direction::of_least(&old.0, &new.0).join(Direction::of_least(&old.1, &new.1));
    if old.json_type == Some(JsonType::Integer) && new.json_type == Some(JsonType::Number) {
        // Only integers can be lost. That fractions are accepted is the change of the type.
        let is_loosened = of_integers(stated_integers(old), stated_integers(new)).loosened;
        return Direction {
            tightened: of_integers(integers(old), stated_integers(new)).tightened,
            loosened: is_loosened,
        };
    }
    if is_number(old) || is_number(new) {
        let (old, new) = (floats(old), floats(new));
        return Direction::of_least(&old.0, &new.0).join(Direction::of_least(&old.1, &new.1));
    }
    of_integers(integers(old), integers(new))
}

/// Returns the least integer, and the negative of the greatest one.
pub(super) fn integers(schema: &Schema) -> (Option<i128>, Option<i128>) {
    let (mut least, mut most) = stated_integers(schema);
    if schema.json_type == Some(JsonType::Integer) || schema.int_or_string {
        // Without a format, the API server also reads 64 bits.
        let (low, high) = match schema.format() {
            Some("int32") if !schema.int_or_string => (i128::from(i32::MIN), i128::from(i32::MAX)),
            _ => (i128::from(i64::MIN), i128::from(i64::MAX)),
        };
        raise(&mut least, low);
        raise(&mut most, -high);
    }
    (least, most)
}

fn raise(bound: &mut Option<i128>, value: i128) {
    *bound = Some(bound.map_or(value, |bound| bound.max(value)));
}

/// Returns the least integer that the stated bounds allow, and the negative of the greatest one.
fn stated_integers(schema: &Schema) -> (Option<i128>, Option<i128>) {
    let (mut least, mut most): (Option<i128>, Option<i128>) = (None, None);
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
    let factors = |schema: &Schema| -> Vec<Number> {
        let is_integer = schema.json_type == Some(JsonType::Integer);
        let factors = levels(schema).filter_map(|level| level.multiple_of);
        // Every integer is a multiple of one.
        factors
            .filter(|factor| !(is_integer && factor.as_f64() == 1.0))
            .collect()
    };
    let lacks = |schema: &Schema, list: &[Number], known: &[Number]| {
        let is_implied = |factor: &Number| known.iter().any(|known| is_multiple(schema, *known, *factor));
        list.iter().any(|factor| !is_implied(factor))
    };
    let (before, after) = (factors(old), factors(new));
    Direction {
        tightened: lacks(new, &after, &before),
        loosened: lacks(old, &before, &after),
    }
}

/// Returns whether the API server finds that a number is a multiple of a factor, for the type of a schema. Its tolerance for
/// fractions decides, so that 0.3 is a multiple of 0.1.
fn is_multiple(schema: &Schema, number: Number, factor: Number) -> bool {
    let json_type = match schema.json_type {
        Some(JsonType::Integer) => "integer",
        _ => "number",
    };
    let judge = serde_json::json!({"type": json_type, "multipleOf": factor.to_json()});
    let patterns = kgen_schema::Patterns::default();
    kgen_schema::Schema::read(&judge)
        .is_ok_and(|judge| kgen_schema::violations(&judge, &number.to_json(), &patterns).is_empty())
}

/// Returns whether every number that has the factors of one schema also has those of another.
pub(super) fn are_multiples_within(smaller: &Schema, larger: &Schema) -> bool {
    !multiples(smaller, larger).tightened
}

/// Returns the only factor of the integers of a schema, if it is a whole number.
pub(super) fn whole_factor(schema: &Schema) -> Option<i128> {
    let mut factors = levels(schema).filter_map(|level| level.multiple_of);
    let only = factors.next().filter(|_| factors.next().is_none())?;
    (is_whole(only) && only.as_f64() >= 1.0).then(|| up(only))
}

type Count = fn(&Constraints) -> Option<i64>;

/// The lower and the upper bound of a length or a count, by type.
const COUNTS: [(JsonType, Count, Count); 3] = [
    (JsonType::String, |c| c.min_length, |c| c.max_length),
    (JsonType::Array, |c| c.min_items, |c| c.max_items),
    (JsonType::Object, |c| c.min_properties, |c| c.max_properties),
];

fn counts(old: &Schema, new: &Schema, least: Count, most: Count) -> Direction {
    let lower = |schema| lower_count(schema, least).filter(|bound| *bound > 0);
    let upper = |schema| upper_count(schema, most).map(|bound| -bound);
    Direction::of_least(&lower(old), &lower(new)).join(Direction::of_least(&upper(old), &upper(new)))
}

fn lower_count(schema: &Schema, read: Count) -> Option<i64> {
    levels(schema).filter_map(read).max()
}

fn upper_count(schema: &Schema, read: Count) -> Option<i64> {
    levels(schema).filter_map(read).min()
}

/// Returns how many characters a string may have.
pub(super) fn lengths(schema: &Schema) -> kgen_sample::Lengths {
    let count = |bound: i64| usize::try_from(bound.max(0)).unwrap_or(usize::MAX);
    kgen_sample::Lengths {
        least: lower_count(schema, |c| c.min_length).map_or(0, count),
        most: upper_count(schema, |c| c.max_length).map(count),
    }
}
