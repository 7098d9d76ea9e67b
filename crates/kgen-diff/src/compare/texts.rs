//! Compares patterns, formats and lists of values.

use kgen_model::{JsonType, Schema};
use serde_json::Value;

use super::bounds::{Direction, can_be, levels};

/// Compares the strings that the patterns of two schemas match. `None` if an automaton cannot tell.
pub(super) fn patterns(old: &Schema, new: &Schema) -> Option<Direction> {
    let (before, after) = (all_patterns(old), all_patterns(new));
    if before == after {
        return Some(Direction::default());
    }
    Some(Direction {
        tightened: !kgen_sample::includes(&after, &before)?,
        loosened: !kgen_sample::includes(&before, &after)?,
    })
}

/// Returns the patterns that all strings of a schema match.
pub(super) fn all_patterns(schema: &Schema) -> Vec<&str> {
    let mut found: Vec<&str> = levels(schema)
        .filter_map(|level| level.pattern.as_deref())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Compares the formats that the API server checks.
pub(super) fn formats(old: &Schema, new: &Schema) -> Direction {
    let (before, after) = (checked_formats(old), checked_formats(new));
    let lacks = |list: &[String], other: &[String]| {
        let is_implied = |format: &String| {
            let mut narrower = other.iter();
            narrower.any(|other| kgen_schema::formats::includes(format, other))
        };
        list.iter().any(|format| !is_implied(format))
    };
    Direction {
        tightened: lacks(&after, &before),
        loosened: lacks(&before, &after),
    }
}

/// Returns the formats that the API server checks in strings, without dashes.
pub(super) fn checked_formats(schema: &Schema) -> Vec<String> {
    if !can_be(schema, JsonType::String) {
        return Vec::new();
    }
    let own = schema
        .implied_format
        .filter(|_| schema.constraints.format.is_none());
    let stated = levels(schema).filter_map(|level| level.format.as_deref());
    let mut found: Vec<String> = own
        .into_iter()
        .chain(stated)
        .filter(|format| kgen_schema::formats::is_for_strings(format))
        .map(|format| format.replace('-', ""))
        // Every string is a password.
        .filter(|format| format != "password")
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the values that a schema lists.
pub(super) fn values(schema: &Schema) -> Option<Vec<Value>> {
    let mut lists = levels(schema).filter_map(|level| level.enumeration.as_ref());
    let mut values = lists.next()?.clone();
    for list in lists {
        values.retain(|value| list.contains(value));
    }
    Some(values)
}

/// Returns a schema as the API server has it.
pub(super) fn judged(schema: &Schema) -> Option<kgen_schema::Schema> {
    let json = Value::Object(schema.to_json(&|_| None));
    kgen_schema::Schema::read(&json).ok()
}
