//! The differences between two enums.

use serde::Serialize;
use serde_json::{Map, Value};

use super::apply::{Direction, Place, Run};
use super::change::Contents;
use super::values::Fill;
use kgen_schema::Schema;

/// The differences between two enums: the older one and the newer one. Variants are named as in JSON.
///
/// The constructor says how the enum is written in JSON: [`new`](Self::new), [`internal`](Self::internal),
/// [`adjacent`](Self::adjacent) or [`untagged`](Self::untagged). Variants without a line are copied.
#[derive(Clone, Debug)]
#[must_use]
pub struct Variants {
    tagging: Tagging,
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
enum Tagging {
    External,
    Internal(String),
    Adjacent(String, String),
    Untagged,
}

#[derive(Clone, Debug)]
enum Line {
    Pair {
        older: String,
        newer: String,
        contents: Option<Contents>,
    },
    /// A variant that only one side has, and the value that the other side shows for it.
    Single {
        is_newer: bool,
        name: String,
        shown: Shown,
    },
    /// A variant without a name in JSON.
    Shaped {
        older: Vec<String>,
        newer: Vec<String>,
        contents: Contents,
    },
}

#[derive(Clone, Debug)]
enum Shown {
    Name(String),
    Value(Fill),
}

impl Default for Variants {
    fn default() -> Self {
        Self::new()
    }
}

impl Variants {
    /// Describes an enum in serde's default style: `"Rolling"` without data, `{"Rolling": {…}}` with data.
    pub fn new() -> Self {
        Self::tagged(Tagging::External)
    }

    /// Describes an enum with `#[serde(tag = "type")]`: `{"type": "Rolling", …}`.
    pub fn internal(tag: &str) -> Self {
        Self::tagged(Tagging::Internal(tag.to_owned()))
    }

    /// Describes an enum with `#[serde(tag = "type", content = "value")]`: `{"type": "Rolling", "value": {…}}`.
    pub fn adjacent(tag: &str, content: &str) -> Self {
        Self::tagged(Tagging::Adjacent(tag.to_owned(), content.to_owned()))
    }

    /// Describes an enum with `#[serde(untagged)]`. Its variants are recognized by their fields, see
    /// [`shaped`](Self::shaped).
    pub fn untagged() -> Self {
        Self::tagged(Tagging::Untagged)
    }

    fn tagged(tagging: Tagging) -> Self {
        Self {
            tagging,
            lines: Vec::new(),
        }
    }

    /// Declares a variant that is called `older` in older and `newer` in newer.
    pub fn renamed(self, older: &str, newer: &str) -> Self {
        self.pair(older, newer, None)
    }

    /// Declares a variant whose contents differ: `"Rolling"`, or `("Rolling", "RollingUpdate")` if it was renamed.
    pub fn inside(self, variant: impl super::change::Field, contents: impl Into<Contents>) -> Self {
        let (older, newer) = variant.names();
        self.pair(&older, &newer, Some(contents.into()))
    }

    /// Declares a variant that only newer has; older shows the variant `shown` for it, without contents.
    pub fn added(self, name: &str, shown: &str) -> Self {
        self.single(true, name, Shown::Name(shown.to_owned()))
    }

    /// Declares a variant that only newer has; older shows the value of `shown` for it, which is a whole value of the enum.
    pub fn added_with<T: Serialize>(self, name: &str, shown: impl Fn() -> T + Send + Sync + 'static) -> Self {
        self.single(true, name, Shown::Value(Fill::of(shown)))
    }

    /// Declares a variant that only older has; newer shows the variant `shown` for it, without contents.
    pub fn dropped(self, name: &str, shown: &str) -> Self {
        self.single(false, name, Shown::Name(shown.to_owned()))
    }

    /// Declares a variant that only older has; newer shows the value of `shown` for it, which is a whole value of the enum.
    pub fn dropped_with<T: Serialize>(
        self,
        name: &str,
        shown: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        self.single(false, name, Shown::Value(Fill::of(shown)))
    }

    /// Declares a variant of an untagged enum whose contents differ. An object belongs to the first line whose fields it
    /// has: `older` on the way to newer, `newer` on the way back. These are the required fields of the variant.
    pub fn shaped<const O: usize, const N: usize>(
        mut self,
        older: [&str; O],
        newer: [&str; N],
        contents: impl Into<Contents>,
    ) -> Self {
        self.lines.push(Line::Shaped {
            older: older.iter().map(ToString::to_string).collect(),
            newer: newer.iter().map(ToString::to_string).collect(),
            contents: contents.into(),
        });
        self
    }

    fn pair(mut self, older: &str, newer: &str, contents: Option<Contents>) -> Self {
        self.lines.push(Line::Pair {
            older: older.to_owned(),
            newer: newer.to_owned(),
            contents,
        });
        self
    }

    fn single(mut self, is_newer: bool, name: &str, shown: Shown) -> Self {
        self.lines.push(Line::Single {
            is_newer,
            name: name.to_owned(),
            shown,
        });
        self
    }

    /// Finds the line of a variant of the source.
    fn find(&self, direction: Direction, name: &str, run: &mut Run) -> Found<'_> {
        for line in &self.lines {
            match line {
                Line::Pair {
                    older,
                    newer,
                    contents,
                } => {
                    let (from, to) = direction.order(older, newer);
                    if from == name {
                        return Found::Pair(to, contents.as_ref());
                    }
                }
                Line::Single {
                    is_newer,
                    name: single,
                    shown,
                } => {
                    if *is_newer == (direction == Direction::Backward) && single == name {
                        run.lost = true;
                        return Found::Shown(shown);
                    }
                }
                Line::Shaped { .. } => {}
            }
        }
        // A variant that the source does not have, but the target does, becomes another one on the way back.
        run.lost |= self.lines.iter().any(|line| match line {
            Line::Pair { older, newer, .. } => direction.order(older, newer).1 == name,
            Line::Single {
                is_newer,
                name: single,
                ..
            } => *is_newer == (direction == Direction::Forward) && single == name,
            Line::Shaped { .. } => false,
        });
        Found::Nothing
    }

    /// Converts a value of the enum. Returns `None` if there is no value to show.
    pub(super) fn apply(
        &self,
        direction: Direction,
        value: &Value,
        schema: Option<&Schema>,
        place: &Place<'_>,
        run: &mut Run,
    ) -> Option<Value> {
        match (&self.tagging, value) {
            (Tagging::External, Value::String(name)) => match self.find(direction, name, run) {
                Found::Nothing => Some(value.clone()),
                Found::Pair(name, _) | Found::Shown(Shown::Name(name)) => Some(Value::from(name.as_str())),
                Found::Shown(Shown::Value(fill)) => run.fill(fill, place),
            },
            (Tagging::External, Value::Object(entries)) => {
                let mut target = Map::new();
                for (name, entry) in entries {
                    let (name, entry) = match self.find(direction, name, run) {
                        Found::Nothing => (name, Some(entry.clone())),
                        Found::Pair(name, None) => (name, Some(entry.clone())),
                        Found::Pair(name, Some(contents)) => {
                            let inner = schema.and_then(|schema| schema.property(name));
                            let place = place.child(name);
                            (name, contents.apply(direction, entry, inner, &place, run))
                        }
                        Found::Shown(Shown::Name(name)) => (name, Some(Value::Object(Map::new()))),
                        Found::Shown(Shown::Value(fill)) => return run.fill(fill, place),
                    };
                    let Some(entry) = entry else { continue };
                    if target.contains_key(name) {
                        run.lost = true;
                    } else {
                        target.insert(name.clone(), entry);
                    }
                }
                Some(Value::Object(target))
            }
            (Tagging::Internal(tag), Value::Object(entries)) => {
                let Some(Value::String(name)) = entries.get(tag) else {
                    return Some(value.clone());
                };
                match self.find(direction, name, run) {
                    Found::Nothing => Some(value.clone()),
                    Found::Pair(name, contents) => {
                        let mut target = match contents {
                            None => entries.clone(),
                            Some(contents) => {
                                let mut inner = entries.clone();
                                inner.remove(tag);
                                let inner = Value::Object(inner);
                                match contents.apply(direction, &inner, schema, place, run) {
                                    Some(Value::Object(entries)) => entries,
                                    _ => Map::new(),
                                }
                            }
                        };
                        target.insert(tag.clone(), Value::from(name.as_str()));
                        Some(Value::Object(target))
                    }
                    Found::Shown(Shown::Name(name)) => Some(only(tag, name)),
                    Found::Shown(Shown::Value(fill)) => run.fill(fill, place),
                }
            }
            (Tagging::Adjacent(tag, content), Value::Object(entries)) => {
                let Some(Value::String(name)) = entries.get(tag) else {
                    return Some(value.clone());
                };
                match self.find(direction, name, run) {
                    Found::Nothing => Some(value.clone()),
                    Found::Pair(name, contents) => {
                        let mut target = entries.clone();
                        target.insert(tag.clone(), Value::from(name.as_str()));
                        if let (Some(contents), Some(entry)) = (contents, entries.get(content)) {
                            let inner = schema.and_then(|schema| schema.property(content));
                            let place = place.child(content);
                            match contents.apply(direction, entry, inner, &place, run) {
                                Some(entry) => target.insert(content.clone(), entry),
                                None => target.remove(content),
                            };
                        }
                        Some(Value::Object(target))
                    }
                    Found::Shown(Shown::Name(name)) => Some(only(tag, name)),
                    Found::Shown(Shown::Value(fill)) => run.fill(fill, place),
                }
            }
            (Tagging::Untagged, Value::Object(entries)) => {
                for line in &self.lines {
                    let Line::Shaped {
                        older,
                        newer,
                        contents,
                    } = line
                    else {
                        continue;
                    };
                    let (from, _) = direction.order(older, newer);
                    if from.iter().all(|name| entries.contains_key(name)) {
                        // The shape of the result may belong to another line on the way back.
                        run.lost = true;
                        return contents.apply(direction, value, schema, place, run);
                    }
                }
                run.lost = true;
                Some(value.clone())
            }
            _ => Some(value.clone()),
        }
    }
}

enum Found<'v> {
    Nothing,
    Pair(&'v String, Option<&'v Contents>),
    Shown(&'v Shown),
}

/// Returns an object that has only its tag.
fn only(tag: &str, name: &str) -> Value {
    Value::Object(Map::from_iter([(tag.to_owned(), Value::from(name))]))
}
