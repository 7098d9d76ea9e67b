//! Restores kept values. An edit always wins: a value is restored only if the other version alone still gives the value that
//! it gave when the value was kept.

use kgen_schema::{META_FIELDS, Problem, Segment, Version};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::deep;
use super::keep::fingerprint;
use super::path::Location;

/// A value in an annotation.
#[derive(Debug, Deserialize)]
pub(super) struct Kept {
    at: Vec<String>,
    #[serde(default, deserialize_with = "present")]
    was: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    is: Option<Value>,
}

impl Kept {
    /// Returns the place of the value.
    pub(super) fn path(&self) -> &[String] {
        &self.at
    }
}

/// Reads the text of an annotation. A text that is nested deeply needs a large stack.
pub(super) fn read(text: &str) -> Result<Vec<Kept>, String> {
    let kept = match serde_json::from_str(text) {
        Err(error) if deep::is_recursion_limit(&error) => deep::read(text).and_then(Vec::deserialize),
        kept => kept,
    };
    kept.map_err(|error| format!("the annotation cannot be read: {error}"))
}

/// Reads a value that exists, also if it is `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The result of restoring.
#[derive(Debug, Default)]
pub(super) struct Restored {
    /// Whether the object was changed.
    pub(super) is_changed: bool,
    /// Why values were dropped. Values that an edit made obsolete are not included.
    pub(super) problems: Vec<String>,
}

/// Restores kept values.
pub(super) fn restore(object: &mut Value, version: &Version, kept: Vec<Kept>) -> Restored {
    let mut restored = Restored::default();
    for kept in kept {
        let place = kept.at.join(".");
        match restore_one(object, version, kept) {
            Outcome::Restored => restored.is_changed = true,
            Outcome::Edited => {}
            Outcome::Misfit => restored
                .problems
                .push(format!("the kept value of {place} does not fit the schema")),
        }
    }
    restored
}

enum Outcome {
    Restored,
    /// The user changed the value, or the object or list around it no longer exists.
    Edited,
    Misfit,
}

fn restore_one(object: &mut Value, version: &Version, kept: Kept) -> Outcome {
    let Kept { at, was, is } = kept;
    let Some((last, parents)) = at.split_last() else {
        return Outcome::Misfit;
    };
    if at
        .first()
        .is_some_and(|first| META_FIELDS.contains(&first.as_str()))
    {
        return Outcome::Misfit;
    }
    let mut value = object;
    let mut location = Location::Described(version.schema());
    for step in parents {
        let inner = match value {
            Value::Object(entries) => {
                location = location.field(step);
                entries.get_mut(step)
            }
            Value::Array(items) => {
                let list = location;
                location = location.item();
                items
                    .iter_mut()
                    .find(|item| list.item_key(item).as_ref() == Some(step))
            }
            _ => None,
        };
        let Some(inner) = inner else {
            return Outcome::Edited;
        };
        value = inner;
    }
    match value {
        Value::Object(entries) => {
            if entries.get(last).map(fingerprint) != was {
                return Outcome::Edited;
            }
            match is {
                None => {
                    entries.remove(last);
                }
                Some(is) if fits(&is, location.field(last), version) => {
                    entries.insert(last.clone(), is);
                }
                Some(_) => return Outcome::Misfit,
            }
        }
        Value::Array(items) => {
            let has_key = |item: &Value| location.item_key(item).as_ref() == Some(last);
            let index = items.iter().position(has_key);
            let current = index.and_then(|index| items.get(index));
            if current.map(fingerprint) != was {
                return Outcome::Edited;
            }
            match (is, index) {
                (None, None) => {}
                (None, Some(index)) => {
                    items.remove(index);
                }
                (Some(is), _) if !has_key(&is) || !fits(&is, location.item(), version) => {
                    return Outcome::Misfit;
                }
                (Some(is), None) => items.push(is),
                (Some(is), Some(index)) => {
                    if let Some(item) = items.get_mut(index) {
                        *item = is;
                    }
                }
            }
        }
        _ => return Outcome::Edited,
    }
    Outcome::Restored
}

/// Returns whether a value fits its location. Fields may be missing, because objects can be partial.
fn fits(value: &Value, location: Location<'_>, version: &Version) -> bool {
    let schema = match location {
        Location::Described(schema) => schema,
        Location::Free => return true,
        Location::Undeclared => return false,
    };
    if schema.has_unknown_fields(value, schema.embedded_resource) {
        return false;
    }
    let violations = version.violations(schema, value);
    let is_serious = |violation: &kgen_schema::Violation| match violation.problem {
        Problem::Required { .. } | Problem::MinItems { .. } | Problem::MinProperties { .. } => false,
        Problem::AllOf { .. } | Problem::AnyOf | Problem::OneOf { .. } | Problem::Not => {
            part(value, &violation.segments).is_none_or(|part| !part.is_object() && !part.is_array())
        }
        _ => !violation.is_detail,
    };
    !violations.iter().any(is_serious)
}

fn part<'v>(value: &'v Value, segments: &[Segment]) -> Option<&'v Value> {
    segments.iter().try_fold(value, |value, segment| match segment {
        Segment::Name(name) => value.get(name),
        Segment::Index(index) => value.get(index),
    })
}
