//! Sets aside the parts of an object that a step copies unchanged in both directions.
//!
//! Most parts of an object are such parts. They are moved to the result instead of being copied there, copied back, and compared.
//! This module only saves time: the result is the same without it, and in case of doubt nothing is set aside.

use kgen_schema::Schema;
use serde_json::{Map, Value};

use super::apply::Direction;
use super::change::{Change, Inside, Line};
use super::restore::Kept;

/// The parts of one object that were set aside.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// The fields that are copied unchanged.
    fields: Vec<(String, Value)>,
    /// The parts of nested objects, by their names in the result.
    nested: Vec<(String, Aside)>,
}

impl Aside {
    /// Takes the unchanged parts out of an object. Values that `kept` could restore stay.
    pub(super) fn take(
        change: &Change,
        direction: Direction,
        object: &mut Map<String, Value>,
        (source, target): (&Schema, &Schema),
        kept: &[Kept],
    ) -> Self {
        let kept: Vec<&[String]> = kept.iter().map(Kept::path).collect();
        take(change, direction, object, (source, target), &kept)
    }

    /// Puts the parts into the result.
    pub(super) fn put_back(self, object: &mut Map<String, Value>) {
        object.extend(self.fields);
        for (name, nested) in self.nested {
            if let Some(Value::Object(inner)) = object.get_mut(&name) {
                nested.put_back(inner);
            }
        }
    }
}

fn take(
    change: &Change,
    direction: Direction,
    object: &mut Map<String, Value>,
    (source, target): (&Schema, &Schema),
    kept: &[&[String]],
) -> Aside {
    let mut aside = Aside::default();
    let (from, to) = direction.order(&change.older, &change.newer);
    // Moved values can be anywhere, and an empty path is this object itself.
    if from.is_deep || to.is_deep || kept.iter().any(|path| path.is_empty()) {
        return aside;
    }
    let is_free = |name: &str| {
        let is_filled = |line: &Line| matches!(line, Line::Filled { name: filled, .. } if filled == name);
        !from.reads(name)
            && !from.writes(name)
            && !to.reads(name)
            && !to.writes(name)
            && !change.lines.iter().any(is_filled)
            && !kept
                .iter()
                .any(|path| path.first().is_some_and(|first| first == name))
    };
    let is_same = |name: &str, value: &Value| {
        let (Some(source), Some(target)) = (source.properties.get(name), target.properties.get(name)) else {
            return false;
        };
        source.default.is_none()
            && target.default.is_none()
            && !source.lacks_defaults(value)
            && !target.lacks_defaults(value)
            && !source.has_unknown_fields(value, source.embedded_resource)
            && !target.has_unknown_fields(value, target.embedded_resource)
    };
    let names = object
        .iter()
        .filter(|(name, value)| is_free(name) && is_same(name, value));
    let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
    for name in names {
        if let Some(field) = object.remove_entry(&name) {
            aside.fields.push(field);
        }
    }
    for line in &change.lines {
        let Line::Pair {
            older,
            newer,
            contents: Some(contents),
        } = line
        else {
            continue;
        };
        let (from, to) = direction.order(older, newer);
        let (Inside::Fields(inner), [from], [to]) = (&contents.0, from.as_slice(), to.as_slice()) else {
            continue;
        };
        // Another line for the same field would make the place of the result uncertain.
        let uses = change
            .lines
            .iter()
            .filter(|line| line.mentions(older, newer))
            .count();
        let (Some(source), Some(target)) = (source.properties.get(from), target.properties.get(to)) else {
            continue;
        };
        let Some(Value::Object(entries)) = object.get_mut(from) else {
            continue;
        };
        if uses != 1 || source.nullable || target.nullable {
            continue;
        }
        let inner_kept = kept.iter().filter(|path| path.first() == Some(to));
        let inner_kept: Vec<&[String]> = inner_kept.filter_map(|path| path.get(1..)).collect();
        let nested = take(inner, direction, entries, (source, target), &inner_kept);
        if !nested.fields.is_empty() || !nested.nested.is_empty() {
            aside.nested.push((to.clone(), nested));
        }
    }
    aside
}

impl Line {
    /// Returns whether the line reads or writes one of two fields.
    fn mentions(&self, older: &[String], newer: &[String]) -> bool {
        match self {
            Self::Pair {
                older: left,
                newer: right,
                ..
            } => left == older || right == newer,
            Self::Translated {
                older: left,
                newer: right,
                ..
            } => left.iter().any(|path| path == older) || right.iter().any(|path| path == newer),
            Self::Added(name) => newer.first() == Some(name),
            Self::Dropped(name) => older.first() == Some(name),
            Self::Filled { is_newer, name, .. } => match is_newer {
                true => newer.first() == Some(name),
                false => older.first() == Some(name),
            },
        }
    }
}
