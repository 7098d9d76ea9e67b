//! Applies a table to an object, in either direction. This cannot fail: a value that cannot be translated is left out,
//! and the caller keeps it.

use kgen_schema::Schema;
use serde_json::map::Entry;
use serde_json::{Map, Value};

use super::change::{Change, Contents, Inside, Line};
use super::values::{Failure, Fill, Method};

/// The direction of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From older to newer.
    Forward,
    /// From newer to older.
    Backward,
}

impl Direction {
    /// Returns the source and the target.
    pub(super) fn order<T>(self, older: T, newer: T) -> (T, T) {
        match self {
            Self::Forward => (older, newer),
            Self::Backward => (newer, older),
        }
    }

    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// A field whose value could not be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Untranslated {
    /// The path of the source without indexes and keys, such as `spec.ports.number`.
    pub(super) field: String,
    pub(super) reason: String,
}

/// The observations of one conversion.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// Whether the reverse conversion may give another object.
    pub(super) lost: bool,
    /// The lines about contents for which `lost` was set. Addresses identify them.
    lossy_lines: Vec<*const Line>,
    pub(super) untranslated: Vec<Untranslated>,
}

impl Run {
    fn fail(&mut self, place: &Place<'_>, names: &str, failure: &Failure) {
        self.lost = true;
        self.untranslated.push(Untranslated {
            field: place.text(names),
            reason: failure.to_string(),
        });
    }

    /// Returns whether the reverse of a line gives the same contents.
    pub(super) fn is_reversible(&self, line: &Line) -> bool {
        !self.lossy_lines.iter().any(|lossy| std::ptr::eq(*lossy, line))
    }

    /// Calls a method without arguments.
    pub(super) fn fill(&mut self, fill: &Fill, place: &Place<'_>) -> Option<Value> {
        self.lost = true;
        match fill.call() {
            Ok(value) => value,
            Err(failure) => {
                self.fail(place, "", &failure);
                None
            }
        }
    }
}

/// The path from the object to a value, without indexes and keys. It becomes text only for a problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    name: &'p str,
}

impl<'p> Place<'p> {
    /// The whole object.
    pub(super) const ROOT: Place<'static> = Place {
        parent: None,
        name: "",
    };

    pub(super) fn child(&'p self, name: &'p str) -> Self {
        Self {
            parent: Some(self),
            name,
        }
    }

    fn text(&self, names: &str) -> String {
        let mut steps = vec![names];
        let mut next = Some(self);
        while let Some(place) = next {
            steps.push(place.name);
            next = place.parent;
        }
        steps.retain(|name| !name.is_empty());
        steps.reverse();
        steps.join(".")
    }
}

impl Contents {
    /// Converts a value. Returns `None` if it could not be translated.
    pub(super) fn apply(
        &self,
        direction: Direction,
        value: &Value,
        schema: Option<&Schema>,
        place: &Place<'_>,
        run: &mut Run,
    ) -> Option<Value> {
        match (&self.0, value) {
            (Inside::Fields(change), Value::Object(entries)) => Some(Value::Object(
                change.apply(direction, entries, schema, place, run),
            )),
            (Inside::Items(contents), Value::Array(items)) => {
                let inner = schema.and_then(|schema| schema.items.as_deref());
                let items = items.iter();
                let items = items.filter_map(|item| contents.apply(direction, item, inner, place, run));
                Some(Value::Array(items.collect()))
            }
            (Inside::Items(contents), Value::Object(entries)) => {
                let entries = entries.iter().filter_map(|(key, entry)| {
                    let inner = schema.and_then(|schema| schema.property(key));
                    let entry = contents.apply(direction, entry, inner, place, run)?;
                    Some((key.clone(), entry))
                });
                Some(Value::Object(entries.collect()))
            }
            (Inside::Variants(variants), _) => variants.apply(direction, value, schema, place, run),
            (Inside::Value { forward, backward }, _) if !value.is_null() => {
                run.lost = true;
                let (method, _) = direction.order(forward, backward);
                match method.call(&[Some(value)]) {
                    Ok(values) => values.into_iter().next().flatten(),
                    Err(failure) => {
                        run.fail(place, "", &failure);
                        None
                    }
                }
            }
            _ => Some(value.clone()),
        }
    }
}

impl Change {
    /// Converts an object. `schema` is the schema of the target.
    pub(super) fn apply(
        &self,
        direction: Direction,
        source: &Map<String, Value>,
        schema: Option<&Schema>,
        place: &Place<'_>,
        run: &mut Run,
    ) -> Map<String, Value> {
        let (from, to) = direction.order(&self.older, &self.newer);
        // Values of nested structs are taken out first, so that no other line sees them.
        let mut taken = Vec::new();
        let mut rest;
        let mut source = source;
        if from.is_deep {
            rest = source.clone();
            for path in self.lines.iter().flat_map(|line| line.sources(direction)) {
                if path.len() != 1 {
                    taken.push((path, take(&mut rest, path)));
                }
            }
            source = &rest;
        }
        let mut lines = Lines {
            direction,
            source,
            taken: &taken,
            target: Map::new(),
            schema,
            place,
            run,
        };
        match direction {
            Direction::Forward => self.lines.iter().for_each(|line| lines.apply(line)),
            Direction::Backward => self.lines.iter().rev().for_each(|line| lines.apply(line)),
        }
        let Lines { mut target, .. } = lines;
        for (name, value) in source {
            if from.reads(name) {
                continue;
            }
            if to.writes(name) {
                // The source does not have this field, but the user wrote it.
                run.lost = true;
                continue;
            }
            run.lost |= !merge(&mut target, name, value.clone());
        }
        for line in &self.lines {
            let Line::Filled { is_newer, name, fill } = line else {
                continue;
            };
            if *is_newer != (direction == Direction::Forward) {
                // The way back would fill in a value.
                run.lost |= source.get(name).is_none_or(Value::is_null);
            } else if target.get(name).is_none_or(Value::is_null)
                && !has_default(schema, name)
                && let Some(value) = run.fill(fill, &place.child(name))
            {
                target.insert(name.clone(), value);
            }
        }
        target
    }
}

impl Line {
    /// Returns the paths that the line reads.
    fn sources(&self, direction: Direction) -> &[Vec<String>] {
        match self {
            Self::Pair { older, newer, .. } => std::slice::from_ref(direction.order(older, newer).0),
            Self::Translated { older, newer, .. } => direction.order(older, newer).0,
            _ => &[],
        }
    }
}

/// The state while the lines of a table are applied.
struct Lines<'l, 'p> {
    direction: Direction,
    source: &'l Map<String, Value>,
    taken: &'l [(&'l Vec<String>, Option<Value>)],
    target: Map<String, Value>,
    schema: Option<&'l Schema>,
    place: &'l Place<'p>,
    run: &'l mut Run,
}

impl<'l> Lines<'l, '_> {
    fn get(&self, path: &[String]) -> Option<&'l Value> {
        match path {
            [name] => self.source.get(name),
            _ => {
                let mut taken = self.taken.iter();
                // Two lines can name one path; the first one took the value.
                taken.find_map(|(known, value)| (known.as_slice() == path).then_some(value.as_ref())?)
            }
        }
    }

    fn apply(&mut self, line: &Line) {
        match line {
            Line::Pair {
                older,
                newer,
                contents,
            } => {
                let (from, to) = self.direction.order(older, newer);
                let Some(value) = self.get(from) else { return };
                let lost_before = std::mem::take(&mut self.run.lost);
                self.run.lost |= from.len() != 1 || to.len() != 1;
                let value = match contents {
                    None => Some(value.clone()),
                    Some(contents) => {
                        let name = from.last().map_or("", String::as_str);
                        let schema = inner_schema(self.schema, to);
                        let place = self.place.child(name);
                        contents.apply(self.direction, value, schema, &place, self.run)
                    }
                };
                if let Some(value) = value {
                    self.put(to, value);
                }
                if self.run.lost && contents.is_some() {
                    self.run.lossy_lines.push(line);
                }
                self.run.lost |= lost_before;
            }
            Line::Translated {
                older,
                newer,
                forward,
                backward,
            } => {
                let (from, to) = self.direction.order(older, newer);
                let (method, reverse) = self.direction.order(forward, backward);
                self.translate(from, to, method, reverse);
            }
            Line::Added(name) => {
                let is_source = self.direction == Direction::Backward;
                self.run.lost |= is_source && self.source.contains_key(name);
            }
            Line::Dropped(name) => {
                let is_source = self.direction == Direction::Forward;
                self.run.lost |= is_source && self.source.contains_key(name);
            }
            Line::Filled { .. } => {}
        }
    }

    fn translate(&mut self, from: &[Vec<String>], to: &[Vec<String>], method: &Method, reverse: &Method) {
        let values: Vec<Option<&Value>> = from.iter().map(|path| self.get(path)).collect();
        let is_absent = |value: &Option<&Value>| value.is_none_or(Value::is_null);
        let all_absent = values.iter().all(is_absent);
        if all_absent {
            self.run.lost |= values.iter().any(Option::is_some) || reverse.needs_nothing();
            if !method.needs_nothing() || !to.iter().any(|path| self.is_needed(path)) {
                return;
            }
        }
        match method.call(&values) {
            Ok(values) => {
                for (path, value) in to.iter().zip(values) {
                    if let Some(value) = value {
                        self.run.lost = true;
                        self.put(path, value);
                    }
                }
                self.run.lost |= !all_absent;
            }
            Err(failure) => {
                let names: Vec<String> = from.iter().map(|path| path.join(".")).collect();
                self.run.fail(self.place, &names.join(";"), &failure);
            }
        }
    }

    /// Returns whether the target's schema requires a field and does not have a default for it.
    fn is_needed(&self, path: &[String]) -> bool {
        let Some((name, parents)) = path.split_last() else {
            return false;
        };
        // The value of a nested struct must not create the struct.
        if !parents.is_empty() {
            return false;
        }
        let Some(schema) = self.schema else { return false };
        let alternatives = schema.one_of.iter().chain(&schema.any_of);
        let mut schemas = alternatives.chain([schema]);
        schemas.any(|schema| schema.required.contains(name)) && !has_default(Some(schema), name)
    }

    fn put(&mut self, path: &[String], value: Value) {
        let Some((name, parents)) = path.split_last() else {
            return;
        };
        let mut target = &mut self.target;
        for parent in parents {
            let entry = target
                .entry(parent.clone())
                .or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(entries) = entry else {
                self.run.lost = true;
                return;
            };
            target = entries;
        }
        self.run.lost |= !merge(target, name, value);
    }
}

/// Adds a value. Objects are merged, and an existing value wins. Returns whether everything was added.
fn merge(target: &mut Map<String, Value>, name: &str, value: Value) -> bool {
    match target.entry(name) {
        Entry::Vacant(place) => {
            place.insert(value);
            true
        }
        Entry::Occupied(mut place) => match (place.get_mut(), value) {
            (Value::Object(known), Value::Object(entries)) => {
                let mut added = true;
                for (name, value) in entries {
                    added &= merge(known, &name, value);
                }
                added
            }
            _ => false,
        },
    }
}

/// Takes a value out of nested objects.
fn take(source: &mut Map<String, Value>, path: &[String]) -> Option<Value> {
    let (name, parents) = path.split_last()?;
    let mut source = source;
    for parent in parents {
        source = source.get_mut(parent)?.as_object_mut()?;
    }
    source.remove(name)
}

fn inner_schema<'s>(schema: Option<&'s Schema>, path: &[String]) -> Option<&'s Schema> {
    path.iter()
        .try_fold(schema?, |schema, name| schema.property(name))
}

fn has_default(schema: Option<&Schema>, name: &str) -> bool {
    let property = schema.and_then(|schema| schema.properties.get(name));
    property.is_some_and(|property| property.default.is_some())
}
