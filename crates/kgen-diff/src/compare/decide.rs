//! Decides whether every scalar that one schema accepts is accepted by another, regardless of the keywords.
//!
//! `maxLength: 5` beside `^[a-z]+$` means the same as `^[a-z]{1,5}$`, and a list of all values between two bounds the same
//! as the bounds. Rules are not considered: they only narrow, and are compared on their own.

use std::ops::RangeInclusive;

use kgen_model::{JsonType, Schema};
use kgen_sample::{Lengths, Search, shortest};
use serde_json::Value;

use super::bounds::{self, is_plain};
use super::texts;

/// The most integers that are tried one by one.
const MOST_INTEGERS: i128 = 2000;

/// The deepest combination whose listed values are read.
const DEEPEST: usize = 4;

/// Returns whether it is certain that `larger` accepts every scalar that `smaller` accepts. If both are nullable, this
/// includes null, which an enumeration refuses. A change of `nullable` itself is not considered.
pub(super) fn is_within(smaller: &Schema, larger: &Schema) -> bool {
    if smaller.json_type != larger.json_type || smaller.int_or_string || larger.int_or_string {
        return false;
    }
    let is_scalar = matches!(
        smaller.json_type,
        Some(JsonType::Boolean | JsonType::Integer | JsonType::Number | JsonType::String)
    );
    if !is_scalar {
        return false;
    }
    let is_null_refused = || accepts_all(smaller, &[Value::Null]) && !accepts_all(larger, &[Value::Null]);
    if smaller.nullable && larger.nullable && is_null_refused() {
        return false;
    }
    if let Some(values) = all_values(smaller) {
        return accepts_all(larger, &values);
    }
    match smaller.json_type {
        Some(JsonType::Integer) => is_plain_node(larger) && are_integers_within(smaller, larger),
        Some(JsonType::String) => is_plain_node(larger) && are_strings_within(smaller, larger),
        _ => false,
    }
}

/// Returns whether no combination narrows a schema, apart from parts of `allOf` that have only constraints.
fn is_plain_node(schema: &Schema) -> bool {
    schema.any_of.is_empty()
        && schema.one_of.is_empty()
        && schema.not.is_none()
        && schema.constraints.all_of.iter().all(is_plain)
}

fn accepts_all(schema: &Schema, values: &[Value]) -> bool {
    let patterns = kgen_schema::Patterns::default();
    texts::judged(schema).is_some_and(|judge| {
        let is_accepted = |value: &Value| kgen_schema::violations(&judge, value, &patterns).is_empty();
        values.iter().all(is_accepted)
    })
}

/// Returns everything that a schema accepts, if that is not too much.
fn all_values(schema: &Schema) -> Option<Vec<Value>> {
    let listed = match schema.json_type {
        Some(JsonType::Boolean) => vec![Value::Bool(false), Value::Bool(true)],
        _ => match listed_values(schema, 0) {
            Some(values) => values,
            None => few_integers(schema)?
                .map(|value| Value::from(value as i64))
                .collect(),
        },
    };
    let judge = texts::judged(schema)?;
    let patterns = kgen_schema::Patterns::default();
    let is_accepted = |value: &Value| kgen_schema::violations(&judge, value, &patterns).is_empty();
    Some(
        listed
            .into_iter()
            .filter(|value| !value.is_null() && is_accepted(value))
            .collect(),
    )
}

/// Returns a list that contains every value that a schema accepts, from its enumerations and those of its combinations.
fn listed_values(schema: &Schema, depth: usize) -> Option<Vec<Value>> {
    if depth > DEEPEST {
        return None;
    }
    if let Some(values) = texts::values(schema) {
        return Some(values);
    }
    let of_all = |parts: &[Schema]| -> Option<Vec<Value>> {
        let lists = parts.iter().map(|part| listed_values(part, depth + 1));
        let lists: Option<Vec<Vec<Value>>> = lists.collect();
        lists
            .filter(|lists| !lists.is_empty())
            .map(|lists| lists.concat())
    };
    let mut all = schema.constraints.all_of.iter();
    of_all(&schema.any_of)
        .or_else(|| of_all(&schema.one_of))
        .or_else(|| all.find_map(|part| listed_values(part, depth + 1)))
}

fn few_integers(schema: &Schema) -> Option<RangeInclusive<i128>> {
    if schema.json_type != Some(JsonType::Integer) {
        return None;
    }
    let (Some(least), Some(most)) = bounds::integers(schema) else {
        return None;
    };
    (-most - least < MOST_INTEGERS).then(|| least..=-most)
}

/// Compares two unlimited or large sets of integers, by their ends and their factors.
fn are_integers_within(smaller: &Schema, larger: &Schema) -> bool {
    if texts::values(larger).is_some() {
        return false;
    }
    let direction = bounds::compare(smaller, larger);
    if !direction.tightened {
        return true;
    }
    // An end that no multiple reaches does not count.
    let (Some(least), Some(most)) = bounds::integers(smaller) else {
        return false;
    };
    let Some(factor) = bounds::whole_factor(smaller) else {
        return false;
    };
    let first = least.div_euclid(factor) * factor;
    let first = if first < least { first + factor } else { first };
    let last = (-most).div_euclid(factor) * factor;
    let ends = [first, last].map(i64::try_from);
    let [Ok(first), Ok(last)] = ends else { return false };
    bounds::are_multiples_within(smaller, larger) && accepts_all(larger, &[first.into(), last.into()])
}

/// Compares two sets of strings, by automata.
fn are_strings_within(smaller: &Schema, larger: &Schema) -> bool {
    let (known, wanted) = (texts::checked_formats(smaller), texts::checked_formats(larger));
    let is_implied = |format: &String| {
        let mut known = known.iter();
        known.any(|known| kgen_schema::formats::includes(format, known))
    };
    if !wanted.iter().all(is_implied) {
        return false;
    }
    let patterns = texts::all_patterns(smaller);
    let is_empty = |unmatched: &[&str], lengths: Lengths| {
        matches!(shortest(&patterns, unmatched, lengths), Search::None)
    };
    let (own, limits) = (bounds::lengths(smaller), bounds::lengths(larger));
    let longer = limits.most.map(|most| Lengths {
        least: own.least.max(most.saturating_add(1)),
        most: own.most,
    });
    let shorter = limits.least.checked_sub(1).map(|most| Lengths {
        least: own.least,
        most: Some(own.most.map_or(most, |own| own.min(most))),
    });
    let listed = match texts::values(larger) {
        Some(values) => match kgen_sample::pattern_of(&values) {
            Some(pattern) => Some(pattern),
            None => return false,
        },
        None => None,
    };
    let unmatched: Vec<&str> = texts::all_patterns(larger)
        .into_iter()
        .chain(listed.as_deref())
        .collect();
    longer.is_none_or(|lengths| is_empty(&[], lengths))
        && shorter.is_none_or(|lengths| is_empty(&[], lengths))
        && (unmatched.is_empty() || is_empty(&unmatched, own))
}
