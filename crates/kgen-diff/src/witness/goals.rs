//! Builds the objects that prove changes.

use kgen_model::Rule;
use kgen_sample::{Leaf, Sampler, Step};
use kgen_schema::{ErrorKind, Problem, Schema, Violation, unknown_field_message};
use serde_json::{Map, Value};

use super::judge::Judge;
use super::{Proof, ratchet_node};
use crate::compare::{Change, Goal};
use crate::finding::{Level, Reads, Witness};
use crate::path::{fits, is_within};

/// The most values of one node that are tried.
const MOST_VALUES: usize = 8;

/// The most objects that are paired for transition rules.
const MOST_PAIRED: usize = 40;

/// The name of a field that no schema declares.
const UNKNOWN_FIELD: &str = "witness";

/// Returns the proof of a change, if an object reaches its goal.
pub(super) fn reach(judge: &Judge<'_>, change: &Change, hints: &[Value]) -> Option<Proof> {
    let sampler = Sampler::new(judge.old.schema(), Some(judge.new.schema()));
    let search = Search {
        judge,
        sampler,
        path: &change.path,
        hints,
    };
    match &change.goal {
        Goal::None => None,
        Goal::Absent => search.absent(),
        Goal::Present => search.present(),
        Goal::Unknown => search.unknown(),
        Goal::Refused(is_reason) => search.refused(*is_reason),
        Goal::RefusedOrPruned => search.refused_or_pruned(),
        Goal::Null => search.null(),
        Goal::Duplicates => search.duplicates(),
        Goal::Rules(rules) => search.rules(rules),
        Goal::Default => search.default(),
        Goal::AbsentRefused => search.any_error(&Leaf::Absent),
        Goal::NullRefused => search.any_error(&Leaf::Value(Value::Null)),
    }
}

struct Search<'s> {
    judge: &'s Judge<'s>,
    sampler: Sampler<'s>,
    path: &'s [Step],
    hints: &'s [Value],
}

/// Decides whether an object, which the old state accepts, proves the change.
type Check<'c> = dyn Fn(&Value) -> Option<Proof> + 'c;

impl Search<'_> {
    fn parent(&self) -> &[Step] {
        self.path.split_last().map_or(&[], |(_, parent)| parent)
    }

    fn node<'a>(&self, schema: &'a Schema) -> Option<&'a Schema> {
        Sampler::at(schema, self.path)
    }

    /// Tries an object, and variations of it if the rules of the old state refuse it.
    fn attempt(&self, value: &Value, check: &Check<'_>) -> Option<Proof> {
        let object = self.judge.object(value);
        if self.judge.is_accepted_by_old(&object) {
            return check(&object);
        }
        let focuses = [self.parent(), self.path.get(..1).unwrap_or_default()];
        focuses.into_iter().find_map(|focus| {
            self.sampler
                .search(value, focus, self.hints, &mut |value| self.judged(value, check))
        })
    }

    fn judged(&self, value: &Value, check: &Check<'_>) -> Option<Proof> {
        let object = self.judge.object(value);
        if self.judge.is_accepted_by_old(&object) {
            check(&object)
        } else {
            None
        }
    }

    fn proof(&self, object: &Value, says: String, ratchets_at: Option<String>) -> Proof {
        Proof {
            witness: Some(Witness::Object(object.clone())),
            says: Some(says),
            ratchets_at,
            ..Proof::of(Level::Breaking)
        }
    }

    fn absent(&self) -> Option<Proof> {
        let Some(Step::Field(name)) = self.path.last() else {
            return None;
        };
        let object = self.sampler.with(self.path, &Leaf::Absent)?;
        // Stored objects have the old default.
        let has_default = self
            .node(self.judge.old.schema())
            .is_some_and(|node| node.default.is_some());
        let ratchet = (!has_default).then(|| ratchet_node(self.judge.new.schema(), self.parent()));
        self.attempt(&object, &|object| {
            let errors = self.judge.refusal(object).errors;
            let is_it = |field: &str| field == name || field.ends_with(&format!(".{name}"));
            let mut required = errors.iter().filter(|error| error.kind() == ErrorKind::Required);
            let error = required.find(|error| is_it(error.field()))?;
            Some(self.proof(object, error.to_string(), ratchet.clone()))
        })
    }

    fn present(&self) -> Option<Proof> {
        let node = self.node(self.judge.old.schema())?;
        let values = self.values(node, None);
        // An empty object or list would not show that anything is lost.
        let is_empty = |value: &Value| match value {
            Value::Object(entries) => entries.is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => false,
        };
        let (full, empty): (Vec<_>, Vec<_>) = values.into_iter().partition(|value| !is_empty(value));
        full.into_iter()
            .chain(empty)
            .chain([Value::Object(Map::new())])
            .take(MOST_VALUES)
            .find_map(|value| {
                let object = self.sampler.with(self.path, &Leaf::Value(value))?;
                self.attempt(&object, &|object| self.pruned(object, self.path))
            })
    }

    /// Returns the proof that the new state drops something at or below a path.
    fn pruned(&self, object: &Value, path: &[Step]) -> Option<Proof> {
        let unknown = self.judge.refusal(object).unknown;
        let name = path.iter().rev().find_map(|step| match step {
            Step::Field(name) => Some(name.as_str()),
            _ => None,
        })?;
        let is_it = |found: &&String| found.split(['.', '[', ']']).any(|part| part == name);
        let found = unknown.iter().find(is_it)?;
        Some(self.proof(object, unknown_field_message(found), None))
    }

    fn unknown(&self) -> Option<Proof> {
        let mut path = self.path.to_vec();
        path.push(Step::Field(UNKNOWN_FIELD.to_owned()));
        let object = self.sampler.with(&path, &Leaf::Value(Value::from("a")))?;
        self.attempt(&object, &|object| self.pruned(object, &path))
    }

    fn values(&self, node: &Schema, other: Option<&Schema>) -> Vec<Value> {
        self.sampler.candidates(node, other, self.hints)
    }

    fn refused(&self, is_reason: fn(&Problem) -> bool) -> Option<Proof> {
        let old = self.node(self.judge.old.schema())?;
        let new = self.node(self.judge.new.schema())?;
        let ratchet = ratchet_node(self.judge.new.schema(), self.path);
        let check = |object: &Value| {
            let error = self.violation(object, is_reason)?;
            Some(self.proof(object, error, Some(ratchet.clone())))
        };
        let is_refused = |value: &Value| {
            let found = self.judge.new.violations(new, value);
            found
                .iter()
                .any(|violation| violation.path.is_empty() && is_reason(&violation.problem))
        };
        let null = old.nullable.then_some(Value::Null).filter(is_refused);
        let values = self.values(old, Some(new)).into_iter().filter(is_refused);
        let found = values.take(MOST_VALUES).chain(null).find_map(|value| {
            let object = self.sampler.with(self.path, &Leaf::Value(value))?;
            self.attempt(&object, &check)
        });
        found.or_else(|| {
            let object = self.sampler.with(self.path, &Leaf::Smallest)?;
            self.sampler.search(&object, self.path, self.hints, &mut |value| {
                self.judged(value, &check)
            })
        })
    }

    /// Returns the message of the new state about a violation at the path.
    fn violation(&self, object: &Value, is_reason: fn(&Problem) -> bool) -> Option<String> {
        let found = self.judge.new.violations(self.judge.new.schema(), object);
        let is_it =
            |violation: &&Violation| fits(self.path, &violation.segments) && is_reason(&violation.problem);
        found
            .iter()
            .filter(is_it)
            .find_map(|violation| self.confirmed(violation, object))
    }

    /// Returns the message of the new state about a violation at the path or below it.
    fn violation_below(&self, object: &Value) -> Option<String> {
        let found = self.judge.new.violations(self.judge.new.schema(), object);
        let is_it = |violation: &&Violation| is_within(self.path, &violation.segments);
        found
            .iter()
            .filter(is_it)
            .find_map(|violation| self.confirmed(violation, object))
    }

    /// Returns the message of a violation, if it is among those that the API server sends.
    fn confirmed(&self, violation: &Violation, object: &Value) -> Option<String> {
        let error = violation.clone().into_field_error().to_string();
        let errors = self.judge.refusal(object).errors;
        errors
            .iter()
            .any(|known| known.to_string() == error)
            .then_some(error)
    }

    fn refused_or_pruned(&self) -> Option<Proof> {
        let old = self.node(self.judge.old.schema())?;
        let new = self.node(self.judge.new.schema());
        // The type of an embedded resource is checked in every update, also if it is unchanged.
        let is_checked_always = new.is_some_and(|new| new.embedded_resource);
        let ratchet = (!is_checked_always).then(|| ratchet_node(self.judge.new.schema(), self.path));
        let check = |object: &Value| match self.error_below(object) {
            Some(error) => Some(self.proof(object, error, ratchet.clone())),
            None => self.pruned(object, self.path),
        };
        let is_refused = |value: &Value| {
            new.is_some_and(|new| {
                let found = self.judge.new.violations(new, value);
                found.iter().any(|violation| violation.path.is_empty())
            })
        };
        let values = self.values(old, new).into_iter();
        let found = values
            .filter(|value| is_refused(value) || value.is_object() || value.is_array())
            .take(4 * MOST_VALUES)
            .find_map(|value| {
                let object = self.sampler.with(self.path, &Leaf::Value(value))?;
                self.attempt(&object, &check)
            });
        found.or_else(|| {
            let object = self.sampler.with(self.path, &Leaf::Smallest)?;
            self.sampler.search(&object, self.path, self.hints, &mut |value| {
                self.judged(value, &check)
            })
        })
    }

    /// Returns the message of the new state about the value at the path or a part of it.
    fn error_below(&self, object: &Value) -> Option<String> {
        if let Some(error) = self.violation_below(object) {
            return Some(error);
        }
        let place = crate::path::dotted(self.path);
        let errors = self.judge.refusal(object).errors;
        let is_below = |error: &&kgen_schema::FieldError| {
            let rest = error.field().strip_prefix(&place);
            rest.is_some_and(|rest| place.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
        };
        errors.iter().find(is_below).map(ToString::to_string)
    }

    fn null(&self) -> Option<Proof> {
        let object = self.sampler.with(self.path, &Leaf::Value(Value::Null))?;
        let place = crate::path::dotted(self.path);
        self.attempt(&object, &|object| {
            let errors = self.judge.refusal(object).errors;
            let error = errors.iter().find(|error| error.field().starts_with(&place))?;
            // The server drops the null, so that the field is missing.
            let is_missing = error.kind() == ErrorKind::Required;
            let path = if is_missing { self.parent() } else { self.path };
            let ratchet = ratchet_node(self.judge.new.schema(), path);
            Some(self.proof(object, error.to_string(), Some(ratchet)))
        })
    }

    fn duplicates(&self) -> Option<Proof> {
        let old = self.node(self.judge.old.schema())?;
        let new = self.node(self.judge.new.schema())?;
        let items = old.items.as_deref()?;
        let ratchet = ratchet_node(self.judge.new.schema(), self.path);
        let mut item_path = self.path.to_vec();
        item_path.push(Step::Item);
        let place = crate::path::dotted(self.path);
        let firsts = self.values(items, new.items.as_deref());
        let first = firsts
            .iter()
            .find(|value| !matches!(value, Value::String(text) if text.is_empty()));
        let first = first.or(firsts.first())?.clone();
        // All keys must be there, so that they can be equal.
        let mut first = first;
        if let Value::Object(entries) = &mut first {
            for key in &new.list_map_keys {
                if !entries.contains_key(key) {
                    let value = self.values(items.properties.get(key)?, None).into_iter().next()?;
                    entries.insert(key.clone(), value);
                }
            }
        }
        let mut seconds = vec![first.clone()];
        for (name, property) in &items.properties {
            if !new.list_map_keys.contains(name) {
                for value in self.values(property, None).into_iter().take(3) {
                    let mut second = first.clone();
                    if let Value::Object(entries) = &mut second {
                        entries.insert(name.clone(), value);
                    }
                    seconds.push(second);
                }
            }
        }
        seconds.into_iter().find_map(|second| {
            let list = Value::Array(vec![first.clone(), second]);
            let object = self.sampler.with(self.path, &Leaf::Value(list))?;
            self.attempt(&object, &|object| {
                let errors = self.judge.refusal(object).errors;
                let mut duplicates = errors.iter().filter(|error| error.kind() == ErrorKind::Duplicate);
                let error = duplicates.find(|error| error.field().starts_with(&place))?;
                Some(self.proof(object, error.to_string(), Some(ratchet.clone())))
            })
        })
    }

    fn rules(&self, rules: &[Rule]) -> Option<Proof> {
        let start = self.sampler.with(self.path, &Leaf::Smallest)?;
        let ratchet = ratchet_node(self.judge.new.schema(), self.path);
        let place = crate::path::dotted(self.path);
        let messages: Vec<String> = rules.iter().flat_map(messages).collect();
        let is_it = |error: &kgen_schema::FieldError| {
            let text = error.to_string();
            let is_here = place.is_empty() || error.field().starts_with(&place) || error.field() == "<nil>";
            is_here && (messages.is_empty() || messages.iter().any(|message| text.contains(message.as_str())))
        };
        let check = |object: &Value| {
            let errors = self.judge.refusal(object).errors;
            let error = errors.iter().find(|error| is_it(error))?;
            Some(self.proof(object, error.to_string(), Some(ratchet.clone())))
        };
        let found = self.sampler.search(&start, self.path, self.hints, &mut |value| {
            self.judged(value, &check)
        });
        if found.is_some() || !rules.iter().any(|rule| rule.rule.contains("oldSelf")) {
            return found;
        }
        // A transition rule needs two objects that both states accept.
        let pool = self.sampler.pool(&start, self.path, self.hints, 4 * MOST_PAIRED);
        let mut objects: Vec<Value> = Vec::new();
        for value in pool {
            let object = self.judge.object(&value);
            if self.judge.is_accepted_by_old(&object) && self.judge.is_accepted_by_new(&object) {
                objects.push(object);
            }
            if objects.len() >= MOST_PAIRED {
                break;
            }
        }
        for before in &objects {
            for after in objects.iter().filter(|after| *after != before) {
                let Some((old, new)) = self.judge.update_errors(before, after) else {
                    continue;
                };
                if let Some(error) = new.iter().find(|error| is_it(error)).filter(|_| old.is_empty()) {
                    return Some(Proof {
                        witness: Some(Witness::Update(before.clone(), after.clone())),
                        says: Some(error.to_string()),
                        ratchets_at: Some(ratchet),
                        ..Proof::of(Level::Breaking)
                    });
                }
            }
        }
        None
    }

    /// Leaves the field out or makes it null, which the new state refuses for any reason: the default of one state matters
    /// to a rule, or to the number of fields.
    fn any_error(&self, leaf: &Leaf) -> Option<Proof> {
        let object = self.sampler.with(self.path, leaf)?;
        let ratchet = ratchet_node(self.judge.new.schema(), self.parent());
        let check = |object: &Value| {
            let error = self.judge.refusal(object).errors.first()?.to_string();
            Some(self.proof(object, error, Some(ratchet.clone())))
        };
        let found = self.attempt(&object, &check);
        let names: Option<Vec<String>> = self.path.iter().map(field_name).collect();
        let Some(names) = names.filter(|_| found.is_none() && *leaf == Leaf::Absent) else {
            return found;
        };
        // Other fields may matter, too; the field itself stays away.
        let pointer = format!("/{}", names.join("/"));
        self.sampler
            .search(&object, self.parent(), self.hints, &mut |value| {
                let is_left_out = value.pointer(&pointer).is_none();
                is_left_out.then(|| self.judged(value, &check)).flatten()
            })
    }

    fn default(&self) -> Option<Proof> {
        let object = self.sampler.with(self.path, &Leaf::Absent)?;
        self.attempt(&object, &|object| {
            if !self.judge.is_accepted_by_new(object) {
                return None;
            }
            let (old, new) = self.judge.reads(object)?;
            (old != new).then(|| Proof {
                witness: Some(Witness::Object(object.clone())),
                reads: Some(Reads { old, new }),
                ..Proof::of(Level::Breaking)
            })
        })
    }
}

/// Returns the name of a field as a part of a JSON pointer; `None` for an item or an entry.
fn field_name(step: &Step) -> Option<String> {
    match step {
        Step::Field(name) => Some(name.replace('~', "~0").replace('/', "~1")),
        Step::Item | Step::Entry => None,
    }
}

/// Returns the texts by which the errors of a rule are known; none if the rule computes its message.
fn messages(rule: &Rule) -> Vec<String> {
    match (&rule.message, &rule.message_expression) {
        (_, Some(_)) => Vec::new(),
        (Some(message), None) => vec![message.trim().to_owned()],
        (None, None) => vec![rule.rule.trim().to_owned()],
    }
}
