//! Sets aside the parts of an object that a step copies unchanged in both directions.
//!
//! Most parts of an object are such parts. They are moved to the result instead of being copied there, copied back, and compared.
//! This module only saves time: the result is the same without it, and in case of doubt nothing is set aside.

use kgen_schema::Schema;
use serde_json::{Map, Value};

use super::apply::{Direction, Run};
use super::change::{Change, Contents, Inside, Line};
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

    /// Takes the lists, maps and variants out of an object and its result that the reverse gives back unchanged, after `run`.
    /// They do not have to be converted back and compared.
    ///
    /// Nothing may have been removed from the result because its schema does not declare it.
    pub(super) fn take_reversible(
        change: &Change,
        direction: Direction,
        (object, result): (&mut Value, &mut Value),
        (source, target): (&Schema, &Schema),
        kept: &[Kept],
        run: &Run,
    ) -> Self {
        let kept: Vec<&[String]> = kept.iter().map(Kept::path).collect();
        take_reversible(change, direction, (object, result), (source, target), &kept, run)
    }

    fn add_nested(&mut self, name: &str, nested: Self) {
        if !nested.fields.is_empty() || !nested.nested.is_empty() {
            self.nested.push((name.to_owned(), nested));
        }
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
    for pair in pairs(change, direction, (source, target)) {
        let Inside::Fields(inner) = &pair.contents.0 else {
            continue;
        };
        let Some(Value::Object(entries)) = object.get_mut(pair.from) else {
            continue;
        };
        let kept = kept_within(kept, pair.to);
        let nested = take(inner, direction, entries, (pair.source, pair.target), &kept);
        aside.add_nested(pair.to, nested);
    }
    aside
}

fn take_reversible(
    change: &Change,
    direction: Direction,
    (object, result): (&mut Value, &mut Value),
    (source, target): (&Schema, &Schema),
    kept: &[&[String]],
    run: &Run,
) -> Aside {
    let mut aside = Aside::default();
    let (Value::Object(object), Value::Object(result)) = (object, result) else {
        return aside;
    };
    if change.older.is_deep || change.newer.is_deep || kept.iter().any(|path| path.is_empty()) {
        return aside;
    }
    for pair in pairs(change, direction, (source, target)) {
        let (Some(before), Some(after)) = (object.get_mut(pair.from), result.get_mut(pair.to)) else {
            continue;
        };
        let kept = kept_within(kept, pair.to);
        if let Inside::Fields(inner) = &pair.contents.0 {
            let schemas = (pair.source, pair.target);
            let nested = take_reversible(inner, direction, (before, after), schemas, &kept, run);
            aside.add_nested(pair.to, nested);
            continue;
        }
        let has_parts = |value: &Value| value.is_array() || value.is_object();
        let is_taken = run.is_reversible(pair.line)
            && kept.is_empty()
            && has_parts(before)
            && has_parts(after)
            && pair.source.no_defaults_within
            && pair.target.no_defaults_within;
        if is_taken {
            object.remove(pair.from);
            aside.fields.extend(result.remove_entry(pair.to));
        }
    }
    aside
}

/// A line about the contents of a field.
struct Pair<'c> {
    line: &'c Line,
    contents: &'c Contents,
    from: &'c str,
    to: &'c str,
    source: &'c Schema,
    target: &'c Schema,
}

/// Returns the lines about the contents of fields that no other line mentions: it would make the place of the result uncertain.
fn pairs<'c>(
    change: &'c Change,
    direction: Direction,
    (source, target): (&'c Schema, &'c Schema),
) -> impl Iterator<Item = Pair<'c>> {
    change.lines.iter().filter_map(move |line| {
        let Line::Pair {
            older,
            newer,
            contents: Some(contents),
        } = line
        else {
            return None;
        };
        let (from, to) = direction.order(older, newer);
        let ([from], [to]) = (from.as_slice(), to.as_slice()) else {
            return None;
        };
        let (source, target) = (source.properties.get(from)?, target.properties.get(to)?);
        let mut mentions = change.lines.iter().filter(|line| line.mentions(older, newer));
        let is_only = mentions.next().is_some() && mentions.next().is_none();
        let is_fixed = |schema: &Schema| !schema.nullable && schema.default.is_none();
        (is_only && is_fixed(source) && is_fixed(target)).then_some(Pair {
            line,
            contents,
            from,
            to,
            source,
            target,
        })
    })
}

/// Returns the paths inside a field.
fn kept_within<'k>(kept: &[&'k [String]], name: &str) -> Vec<&'k [String]> {
    let inside = kept
        .iter()
        .filter(|path| path.first().is_some_and(|first| first == name));
    inside.filter_map(|path| path.get(1..)).collect()
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
