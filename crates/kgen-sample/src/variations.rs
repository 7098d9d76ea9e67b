//! Tries variations of a value until one is accepted: absent fields, values at bounds, and values that rules mention.

use kgen_schema::{JsonType, Schema};
use serde_json::{Map, Value};

use crate::candidates::{parts_of, related_at};
use crate::object::{Sampler, Step};

/// The most values that a search tries.
const TRIES: usize = 500;

/// The most places that are varied.
const PLACES: usize = 14;

/// The most values of one place.
const VALUES: usize = 10;

/// The deepest place below the start.
const DEPTH: usize = 3;

/// A place in a value and the values to try there; `None` leaves the field out.
struct Knob {
    pointer: Vec<Hop>,
    options: Vec<Option<Value>>,
}

#[derive(Clone, Debug)]
enum Hop {
    Key(String),
    First,
}

impl Sampler<'_> {
    /// Changes one, two or three places of `start` at or below `focus` until `accept` returns something. `hints` are
    /// values that may matter, such as those that a rule mentions.
    pub fn search<T>(
        &self,
        start: &Value,
        focus: &[Step],
        hints: &[Value],
        accept: &mut dyn FnMut(&Value) -> Option<T>,
    ) -> Option<T> {
        let mut left = TRIES;
        if let Some(found) = accept(start) {
            return Some(found);
        }
        let knobs = self.knobs(focus, hints);
        for changes in 1..=3 {
            if let Some(found) = try_changes(&knobs, changes, start, &mut left, accept) {
                return Some(found);
            }
        }
        None
    }

    /// Returns variations of `start`, for searches that need two values.
    #[must_use]
    pub fn pool(&self, start: &Value, focus: &[Step], hints: &[Value], most: usize) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        let mut collect = |value: &Value| -> Option<()> {
            if !found.contains(value) {
                found.push(value.clone());
            }
            (found.len() >= most).then_some(())
        };
        self.search(start, focus, hints, &mut collect);
        found
    }

    fn knobs(&self, focus: &[Step], hints: &[Value]) -> Vec<Knob> {
        let mut knobs = Vec::new();
        let mut pointer = Vec::new();
        let mut schema = self.schema();
        let mut related = parts_of(schema).split_off(1);
        related.extend(self.other().into_iter().flat_map(parts_of));
        for step in focus {
            let hop = match step {
                Step::Field(name) => Hop::Key(name.clone()),
                Step::Entry => Hop::Key(crate::candidates::key_name(0)),
                Step::Item => Hop::First,
            };
            pointer.push(hop);
            let Some(next) = Self::at(schema, std::slice::from_ref(step)) else {
                return knobs;
            };
            schema = next;
            related = related_at(&related, step);
            related.extend(parts_of(schema).into_iter().skip(1));
        }
        self.knobs_below(schema, &related, &pointer, hints, 0, &mut knobs);
        if knobs.is_empty() || !matches!(schema.json_type, Some(JsonType::Object)) {
            knobs.insert(0, self.knob(schema, &related, pointer, true, hints));
        }
        knobs.truncate(PLACES);
        knobs
    }

    fn knob(
        &self,
        schema: &Schema,
        related: &[&Schema],
        pointer: Vec<Hop>,
        is_required: bool,
        hints: &[Value],
    ) -> Knob {
        let mut options: Vec<Option<Value>> = Vec::new();
        let fitting: Vec<Value> = hints
            .iter()
            .filter(|hint| self.accepts(schema, hint))
            .cloned()
            .collect();
        let mut values = fitting;
        if let Some(items) = &schema.items {
            let lists = hints.iter().filter(|hint| self.accepts(items, hint));
            let lists = lists.map(|hint| Value::Array(vec![hint.clone()]));
            values.extend(lists.filter(|list| self.accepts(schema, list)));
        }
        for value in self.related_candidates(schema, related, &[], 1) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values.truncate(if schema.items.is_some() {
            2 * VALUES
        } else {
            VALUES
        });
        if !is_required {
            options.push(None);
        }
        options.extend(values.into_iter().map(Some));
        Knob { pointer, options }
    }

    fn knobs_below(
        &self,
        schema: &Schema,
        related: &[&Schema],
        pointer: &[Hop],
        hints: &[Value],
        depth: usize,
        knobs: &mut Vec<Knob>,
    ) {
        if depth >= DEPTH {
            return;
        }
        for (name, property) in &schema.properties {
            if depth == 0 && pointer.is_empty() && ["apiVersion", "kind", "metadata"].contains(&name.as_str())
            {
                continue;
            }
            let mut pointer = pointer.to_vec();
            pointer.push(Hop::Key(name.clone()));
            let is_required = schema.required.contains(name);
            let mut inner = related_at(related, &Step::Field(name.clone()));
            inner.extend(parts_of(property).into_iter().skip(1));
            let is_object = property.json_type == Some(JsonType::Object) && !property.properties.is_empty();
            if !is_object || !is_required {
                knobs.push(self.knob(property, &inner, pointer.clone(), is_required, hints));
            }
            if is_object {
                self.knobs_below(property, &inner, &pointer, hints, depth + 1, knobs);
            }
        }
        if let Some(items) = schema
            .items
            .as_deref()
            .filter(|items| !items.properties.is_empty())
        {
            let mut pointer = pointer.to_vec();
            pointer.push(Hop::First);
            let mut inner = related_at(related, &Step::Item);
            inner.extend(parts_of(items).into_iter().skip(1));
            self.knobs_below(items, &inner, &pointer, hints, depth + 1, knobs);
        }
    }
}

fn try_changes<T>(
    knobs: &[Knob],
    changes: usize,
    value: &Value,
    left: &mut usize,
    accept: &mut dyn FnMut(&Value) -> Option<T>,
) -> Option<T> {
    for (index, knob) in knobs.iter().enumerate() {
        for option in &knob.options {
            let mut changed = value.clone();
            if !set(&mut changed, &knob.pointer, option.as_ref()) {
                continue;
            }
            if changes > 1 {
                let others = knobs.get(index + 1..).unwrap_or_default();
                if let Some(found) = try_changes(others, changes - 1, &changed, left, accept) {
                    return Some(found);
                }
            } else {
                if *left == 0 {
                    return None;
                }
                *left -= 1;
                if let Some(found) = accept(&changed) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Sets or removes a place. Objects on the way are created. Returns whether anything changed.
fn set(value: &mut Value, pointer: &[Hop], option: Option<&Value>) -> bool {
    let [hop, rest @ ..] = pointer else {
        return match option {
            Some(option) if value != option => {
                *value = option.clone();
                true
            }
            _ => false,
        };
    };
    match hop {
        Hop::Key(name) => {
            let Some(entries) = value.as_object_mut() else {
                return false;
            };
            if rest.is_empty() && option.is_none() {
                return entries.remove(name).is_some();
            }
            if option.is_none() && !entries.contains_key(name) {
                return false;
            }
            let is_new = !entries.contains_key(name);
            let entry = entries.entry(name.as_str()).or_insert_with(|| {
                if rest.is_empty() {
                    Value::Null
                } else {
                    Value::Object(Map::new())
                }
            });
            set(entry, rest, option) || is_new
        }
        Hop::First => match value.as_array_mut().and_then(|items| items.first_mut()) {
            Some(first) if rest.is_empty() => match option {
                Some(option) if first != option => {
                    *first = option.clone();
                    true
                }
                _ => false,
            },
            Some(first) => set(first, rest, option),
            None => false,
        },
    }
}

/// Returns the strings and numbers that a rule mentions, and the numbers beside them.
#[must_use]
pub fn literals(rule: &str) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let mut add = |value: Value| {
        if !found.contains(&value) {
            found.push(value);
        }
    };
    let mut rest = rule;
    while let Some(letter) = rest.chars().next() {
        let next = rest.get(letter.len_utf8()..).unwrap_or_default();
        if letter == '\'' || letter == '"' {
            if let Some((text, behind)) = next.split_once(letter) {
                add(Value::from(text));
                rest = behind;
                continue;
            }
        } else if letter.is_ascii_digit() {
            let end = rest
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(rest.len());
            let (digits, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if let Ok(number) = digits.parse::<i64>() {
                for near in [Some(number), number.checked_add(1), number.checked_sub(1)] {
                    near.into_iter().for_each(|near| add(Value::from(near)));
                }
                if let Ok(count) = usize::try_from(number)
                    && count < 300
                {
                    add(Value::from("a".repeat(count)));
                    add(Value::from("a".repeat(count + 1)));
                }
            }
            rest = behind;
            continue;
        } else if letter.is_alphabetic() || letter == '_' {
            // The digits of a name are not a number.
            let end = rest
                .find(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
                .unwrap_or(rest.len());
            rest = rest.get(end..).unwrap_or_default();
            continue;
        }
        rest = next;
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_literals_of_a_rule_are_found() {
        assert_eq!(
            literals("self.v1 < 10 || self.name in ['a', \"b c\"]"),
            [
                json!(10),
                json!(11),
                json!(9),
                json!("a".repeat(10)),
                json!("a".repeat(11)),
                json!("a"),
                json!("b c")
            ]
        );
    }
}
