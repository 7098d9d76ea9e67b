//! Builds values from the inside out: the smallest one, the whole one, and one with a goal in a given place.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use kgen_schema::{JsonType, Patterns, Schema};
use serde_json::{Map, Value};

use crate::candidates::{key_name, length, parts_of, related_at};
use crate::language::Search;

/// The deepest level of a value.
const DEEPEST: usize = 40;

/// The most variations of an object that its combinations refuse.
const MOST_REPAIRS: usize = 100;

/// The most fields without a declaration that are added to an object that needs more.
const MOST_UNKNOWN: usize = 200;

/// How much of a value is created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Only what is required.
    #[default]
    Smallest,
    /// Every field, one item in every list, and one entry in every map.
    Whole,
    /// The required fields, and those with an example. Values are the example, the default, that of a given object, or the
    /// smallest one.
    Example,
}

/// One step of a path into a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A field.
    Field(String),
    /// An item of a list.
    Item,
    /// A value of a map.
    Entry,
}

/// The value at the end of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf {
    /// This value.
    Value(Value),
    /// The smallest valid value.
    Smallest,
    /// Nothing: the field is left out.
    Absent,
}

type StringKey = (Vec<String>, Vec<String>, usize, Option<usize>);

/// Creates values of one schema.
///
/// With a second schema, values are preferred that both accept.
#[derive(Debug)]
pub struct Sampler<'s> {
    schema: &'s Schema,
    other: Option<&'s Schema>,
    pub(crate) patterns: Patterns,
    pub(crate) strings: RefCell<BTreeMap<StringKey, Search<String>>>,
    shape: Shape,
    /// An object whose values are preferred, by their paths without indexes.
    suggestions: BTreeMap<Vec<Step>, Value>,
    /// The path of the value that is being created; only for [`Shape::Example`].
    place: RefCell<Vec<Step>>,
}

/// A field that is given, or left out on purpose.
pub(crate) type Forced = (String, Option<Value>);

impl<'s> Sampler<'s> {
    /// Creates values of `schema`, if possible such that `other` accepts them too.
    #[must_use]
    pub fn new(schema: &'s Schema, other: Option<&'s Schema>) -> Self {
        Self {
            schema,
            other,
            patterns: Patterns::default(),
            strings: RefCell::default(),
            shape: Shape::Smallest,
            suggestions: BTreeMap::new(),
            place: RefCell::default(),
        }
    }

    /// Returns the smallest valid value. Its rules hold, too.
    #[must_use]
    pub fn smallest(&self) -> Option<Value> {
        let value = self.value(self.schema, self.other, 0)?;
        self.settle_rules(value)
    }

    /// Returns a valid value with every field. Its rules hold, too.
    #[must_use]
    pub fn whole(&self) -> Option<Value> {
        let sampler = Sampler {
            shape: Shape::Whole,
            ..Sampler::new(self.schema, self.other)
        };
        let value = sampler.value(sampler.schema, sampler.other, 0)?;
        sampler.settle_rules(value)
    }

    /// Returns a valid value for documentation: what is required, and what has an example. `suggestion` is an object of
    /// the user, whose values are preferred to the smallest ones. Its rules hold, too.
    ///
    /// # Errors
    /// Returns the value that breaks a rule if no value was found whose rules hold, or `None` if none is valid at all.
    pub fn example(&self, suggestion: Option<&Value>) -> Result<Value, Option<Value>> {
        let mut sampler = Sampler {
            shape: Shape::Example,
            ..Sampler::new(self.schema, self.other)
        };
        if let Some(suggestion) = suggestion {
            collect(suggestion, &mut Vec::new(), &mut sampler.suggestions);
        }
        let value = sampler.value(sampler.schema, sampler.other, 0).ok_or(None)?;
        sampler.settle_rules(value.clone()).ok_or(Some(value))
    }

    fn settle_rules(&self, value: Value) -> Option<Value> {
        let holds = |value: &Value| {
            self.accepts(self.schema, value)
                && kgen_schema::broken_rules(self.schema, value, &self.patterns).is_empty()
        };
        if holds(&value) {
            return Some(value);
        }
        self.search(&value, &[], &[], &mut |value| holds(value).then(|| value.clone()))
    }

    /// Returns the smallest value with `leaf` at the end of `path`. Its rules may not hold.
    #[must_use]
    pub fn with(&self, path: &[Step], leaf: &Leaf) -> Option<Value> {
        self.along(self.schema, self.other, path, leaf, 0)
    }

    /// Returns the schema that this sampler follows.
    #[must_use]
    pub fn schema(&self) -> &'s Schema {
        self.schema
    }

    /// Returns the schema whose values are preferred.
    pub(crate) fn other(&self) -> Option<&'s Schema> {
        self.other
    }

    /// Returns the schema at the end of a path. Where unknown fields are kept, that is a schema of any value.
    #[must_use]
    pub fn at<'a>(schema: &'a Schema, path: &[Step]) -> Option<&'a Schema> {
        path.iter().try_fold(schema, |schema, step| {
            let part = match step {
                Step::Field(name) => schema.property(name),
                Step::Item => schema.items.as_deref(),
                Step::Entry => schema.additional_schema(),
            };
            let is_open = match step {
                // The items of an object that keeps unknown fields are not its fields.
                Step::Item => schema.preserve_unknown_fields && schema.json_type.is_none(),
                Step::Field(_) | Step::Entry => schema.preserve_unknown_fields,
            };
            part.or_else(|| is_open.then(anything))
        })
    }

    fn along(
        &self,
        schema: &Schema,
        other: Option<&Schema>,
        path: &[Step],
        leaf: &Leaf,
        depth: usize,
    ) -> Option<Value> {
        let [step, rest @ ..] = path else {
            return match leaf {
                Leaf::Value(value) => Some(value.clone()),
                Leaf::Smallest => self.value(schema, other, depth),
                Leaf::Absent => None,
            };
        };
        let one = std::slice::from_ref(step);
        let (child, other_child) = (
            Self::at(schema, one),
            other.and_then(|other| Self::at(other, one)),
        );
        let is_absent = rest.is_empty() && *leaf == Leaf::Absent;
        let inner = match child {
            _ if is_absent => None,
            Some(child) => Some(self.along(child, other_child, rest, leaf, depth + 1)?),
            // A field that the schema does not describe.
            None => match (rest.is_empty(), leaf) {
                (true, Leaf::Value(value)) => Some(value.clone()),
                _ => return None,
            },
        };
        match step {
            Step::Field(name) => self.object(schema, other, Some((name.clone(), inner)), depth),
            Step::Entry => self.object(schema, other, Some((key_name(0), inner)), depth),
            Step::Item => {
                let items = child?;
                let least = length(schema.limits.min_items).unwrap_or_default();
                let mut list = self.distinct(schema, items, other_child, least, depth)?;
                match (list.first_mut(), inner) {
                    (Some(first), Some(inner)) => *first = inner,
                    (None, Some(inner)) => list.push(inner),
                    (_, None) => {}
                }
                Some(Value::Array(list))
            }
        }
    }

    /// Returns the smallest value, or the whole one. Rules are not considered.
    pub(crate) fn value(&self, schema: &Schema, other: Option<&Schema>, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        if self.shape == Shape::Whole
            && let Some(default) = &schema.default
        {
            return Some(default.clone());
        }
        if self.shape == Shape::Example
            && depth > 0
            && let Some(preferred) = self.preferred(schema)
        {
            return Some(preferred);
        }
        match schema.json_type {
            Some(JsonType::Object) if !schema.int_or_string => self.object(schema, other, None, depth),
            Some(JsonType::Array) => {
                let least = |schema: &Schema| length(schema.limits.min_items).unwrap_or_default();
                let wanted = least(schema).max(other.map_or(0, least));
                let wanted = wanted.max(usize::from(self.shape == Shape::Whole));
                let Some(items) = &schema.items else {
                    return Some(Value::Array(Vec::new()));
                };
                let other_items = other.and_then(|other| other.items.as_deref());
                let list = |count| self.distinct(schema, items, other_items, count, depth);
                list(wanted).or_else(|| list(least(schema))).map(Value::Array)
            }
            _ => {
                let found = self.candidates(schema, None, &[]);
                let with_bounds = |other| self.candidates(schema, Some(other), &[]);
                let both = other.and_then(|other| {
                    let both = |value: &&Value| self.accepts(other, value);
                    let first = found.iter().find(both).cloned();
                    first.or_else(|| with_bounds(other).iter().find(both).cloned())
                });
                both.or_else(|| found.into_iter().next())
            }
        }
    }

    /// Returns the example, the default or the suggestion for the value at the current place, if the schema accepts it.
    fn preferred(&self, schema: &Schema) -> Option<Value> {
        let place = self.place.borrow();
        let example = schema.example.as_deref().cloned();
        let known = [
            example,
            schema.default.clone(),
            self.suggestions.get(&*place).cloned(),
        ];
        known
            .into_iter()
            .flatten()
            .find(|value| self.accepts(schema, value))
    }

    /// Creates the value of a field, which is one step further.
    fn field(&self, name: &str, schema: &Schema, other: Option<&Schema>, depth: usize) -> Option<Value> {
        self.place.borrow_mut().push(Step::Field(name.to_owned()));
        let value = self.value(schema, other, depth);
        self.place.borrow_mut().pop();
        value
    }

    /// Returns an object with its required fields, a forced one, and those that one of its alternatives needs.
    pub(crate) fn object(
        &self,
        schema: &Schema,
        other: Option<&Schema>,
        forced: Option<Forced>,
        depth: usize,
    ) -> Option<Value> {
        let mut best: Option<(usize, Value)> = None;
        for alternative in alternatives(schema) {
            let Some(value) = self.object_of(schema, other, forced.clone(), &alternative, depth) else {
                continue;
            };
            let mut complete = value.clone();
            schema.fill_in_defaults(&mut complete);
            let wrong = kgen_schema::violations(schema, &complete, &self.patterns).len();
            let unknown = unknown_fields(schema, &value, depth);
            // An object that the first schema refuses or prunes is only the last resort.
            let score = if wrong > 0 {
                1000 + wrong
            } else if unknown > 0 {
                500 + unknown
            } else {
                other.map_or(0, |other| {
                    kgen_schema::violations(other, &complete, &self.patterns).len()
                })
            };
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, value));
            }
            if score == 0 {
                break;
            }
        }
        let (score, value) = best?;
        let fixed = forced.as_ref().map(|(name, _)| name.as_str());
        let repaired = (score >= 500).then(|| self.repaired(schema, &value, fixed, depth));
        Some(repaired.flatten().unwrap_or(value))
    }

    /// Returns the first value that a part of a combination lists and the property accepts.
    fn stated(&self, part: &Schema, property: Option<&Schema>) -> Option<Value> {
        let is_accepted = |value: &&Value| property.is_none_or(|property| self.accepts(property, value));
        part.limits.enumeration.iter().find(is_accepted).cloned()
    }

    /// Returns an object that a schema accepts, from one that its combinations refuse: with one more field, or with
    /// another value of a field.
    fn repaired(&self, schema: &Schema, value: &Value, fixed: Option<&str>, depth: usize) -> Option<Value> {
        let related = parts_of(schema).split_off(1);
        if related.is_empty() || depth > 3 {
            return None;
        }
        let mut start = value.as_object()?.clone();
        let is_fixed = |name: &str| fixed == Some(name);
        start.retain(|name, _| {
            is_fixed(name) || schema.property(name).is_some() || schema.preserve_unknown_fields
        });
        let start = &start;
        let mut tried = self.unknown_fields(schema, &related, start);
        for (name, property) in &schema.properties {
            let inner = related_at(&related, &Step::Field(name.clone()));
            for value in self.related_candidates(property, &inner, &[], depth + 2) {
                let mut entries = start.clone();
                entries.insert(name.clone(), value);
                tried.push(Value::Object(entries));
            }
        }
        tried.into_iter().take(MOST_REPAIRS).find(|value| {
            let is_fixed = fixed.is_none_or(|name| value.get(name) == start.get(name));
            let mut complete = value.clone();
            schema.fill_in_defaults(&mut complete);
            is_fixed && self.accepts(schema, &complete) && unknown_fields(schema, value, depth) == 0
        })
    }

    fn object_of(
        &self,
        schema: &Schema,
        other: Option<&Schema>,
        forced: Option<Forced>,
        alternative: &[&Schema],
        depth: usize,
    ) -> Option<Value> {
        let mut entries = Map::new();
        if schema.embedded_resource && depth > 0 {
            entries.insert("apiVersion".to_owned(), Value::from("v1"));
            entries.insert("kind".to_owned(), Value::from("ConfigMap"));
            entries.insert("metadata".to_owned(), serde_json::json!({"name": "sample"}));
        }
        let always = std::iter::once(schema).chain(&schema.all_of);
        let mut names: BTreeSet<&str> = always
            .flat_map(|part| &part.required)
            .map(String::as_str)
            .collect();
        names.extend(
            alternative
                .iter()
                .flat_map(|part| part.required.iter().map(String::as_str)),
        );
        if let Some(other) = other {
            let known = |name: &&str| schema.properties.contains_key(*name);
            names.extend(other.required.iter().map(String::as_str).filter(known));
        }
        if self.shape == Shape::Whole && depth > 0 {
            let is_alternative = |name: &&str| {
                let parts = schema.one_of.iter().chain(&schema.any_of);
                !parts
                    .flat_map(|part| &part.required)
                    .any(|required| required == name)
            };
            names.extend(
                schema
                    .properties
                    .keys()
                    .map(String::as_str)
                    .filter(is_alternative),
            );
        } else if self.shape == Shape::Example {
            let has_example = |property: &Schema| has_example(property, 0);
            let fields = schema.properties.iter();
            let wanted = fields.filter(|(name, property)| {
                !(depth == 0 && *name == "status") && has_example(property) || depth == 0 && *name == "spec"
            });
            names.extend(wanted.map(|(name, _)| name.as_str()));
        } else if self.shape == Shape::Whole {
            names.extend(
                schema
                    .properties
                    .keys()
                    .map(String::as_str)
                    .filter(|name| *name == "spec"),
            );
        }
        for name in names {
            if forced.as_ref().is_some_and(|(forced, _)| forced == name) || entries.contains_key(name) {
                continue;
            }
            let property = schema.property(name);
            let stated = alternative
                .iter()
                .filter_map(|part| part.properties.get(name))
                .find_map(|part| self.stated(part, property));
            let other = other.and_then(|other| other.property(name));
            let value = match (stated, property) {
                (Some(value), _) => value,
                (None, Some(property)) => match self.field(name, property, other, depth + 1) {
                    // Sometimes nothing else is valid.
                    Some(value)
                        if property.nullable
                            && (!self.accepts(property, &value)
                                || property.has_unknown_fields(&value, false)) =>
                    {
                        Value::Null
                    }
                    Some(value) => value,
                    None if schema.required.iter().any(|required| required == name) => return None,
                    None => continue,
                },
                (None, None) => Value::Object(Map::new()),
            };
            entries.insert(name.to_owned(), value);
        }
        // A branch can demand a value of a field that it does not require.
        for part in alternative {
            for (name, property) in &part.properties {
                let is_forced = forced.as_ref().is_some_and(|(forced, _)| forced == name);
                let stated = self.stated(property, schema.property(name));
                if let Some(value) = stated.filter(|_| !is_forced) {
                    entries.insert(name.clone(), value);
                }
            }
        }
        let absent = match forced {
            Some((name, Some(value))) => {
                entries.insert(name, value);
                None
            }
            Some((name, None)) => Some(name),
            None => None,
        };
        let least = |schema: &Schema| length(schema.limits.min_properties).unwrap_or_default();
        let wanted = least(schema).max(other.map_or(0, least));
        if let Some(values) = schema.additional_schema() {
            let wanted = wanted.max(usize::from(self.shape == Shape::Whole));
            let other = other.and_then(Schema::additional_schema);
            for index in 0..wanted {
                if entries.len() < wanted {
                    entries.insert(key_name(index), self.value(values, other, depth + 1)?);
                }
            }
        }
        for (name, property) in &schema.properties {
            if entries.len() >= wanted {
                break;
            }
            if !entries.contains_key(name) && absent.as_ref() != Some(name) {
                let other = other.and_then(|other| other.property(name));
                entries.extend(
                    self.value(property, other, depth + 1)
                        .map(|value| (name.clone(), value)),
                );
            }
        }
        if schema.preserve_unknown_fields {
            // Fields that nothing declares count, too; at first those that the other schema knows.
            let known = other.into_iter().flat_map(|other| &other.properties);
            let known = known.map(|(name, property)| (name.clone(), self.value(property, None, depth + 1)));
            let others = (0..wanted.min(MOST_UNKNOWN)).map(|index| (key_name(index), Some(Value::from("a"))));
            for (name, value) in known.chain(others) {
                if entries.len() < wanted && absent.as_ref() != Some(&name) && !entries.contains_key(&name) {
                    entries.extend(value.map(|value| (name, value)));
                }
            }
        }
        Some(Value::Object(entries))
    }
}

/// Returns how many fields of an object its schema does not describe.
fn unknown_fields(schema: &Schema, value: &Value, depth: usize) -> usize {
    let is_resource = schema.embedded_resource || depth == 0;
    let is_known = |name: &str| {
        schema.property(name).is_some()
            || schema.preserve_unknown_fields
            || is_resource && kgen_schema::META_FIELDS.contains(&name)
    };
    let names = value.as_object().into_iter().flat_map(Map::keys);
    names.filter(|name| !is_known(name)).count()
}

/// Returns the schema of any value.
fn anything() -> &'static Schema {
    static ANYTHING: OnceLock<Schema> = OnceLock::new();
    ANYTHING.get_or_init(|| Schema {
        preserve_unknown_fields: true,
        no_defaults_within: true,
        ..Schema::default()
    })
}

/// Returns whether a field, or a field in its fields, has an example.
fn has_example(schema: &Schema, depth: usize) -> bool {
    let has_inside = |part: &Schema| depth < DEEPEST && has_example(part, depth + 1);
    schema.example.is_some() || schema.properties.values().any(|part| has_inside(part))
}

/// Collects the values of an object by their paths. Lists are values as a whole.
fn collect(value: &Value, place: &mut Vec<Step>, found: &mut BTreeMap<Vec<Step>, Value>) {
    match value {
        Value::Object(entries) if place.len() < DEEPEST => {
            for (name, entry) in entries {
                place.push(Step::Field(name.clone()));
                collect(entry, place, found);
                place.pop();
            }
        }
        _ => {
            found.insert(place.clone(), value.clone());
        }
    }
}

/// Returns the combinations of branches of `oneOf`, `anyOf` and `allOf` to try, at first none.
fn alternatives(schema: &Schema) -> Vec<Vec<&Schema>> {
    let mut found: Vec<Vec<&Schema>> = vec![Vec::new()];
    let lists = [&schema.one_of, &schema.any_of];
    let inner = schema.all_of.iter().flat_map(|part| [&part.one_of, &part.any_of]);
    for list in lists.into_iter().chain(inner).filter(|list| !list.is_empty()) {
        let extended: Vec<_> = found
            .iter()
            .flat_map(|chosen| {
                list.iter().map(|branch| {
                    let mut chosen = chosen.clone();
                    chosen.push(branch);
                    chosen
                })
            })
            .collect();
        found.extend(extended);
        found.truncate(200);
    }
    found
}
