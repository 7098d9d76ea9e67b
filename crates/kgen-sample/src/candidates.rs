//! Values to try for one node of a schema: small ones, and ones at the bounds of two schemas.

use std::collections::BTreeSet;

use kgen_schema::{JsonType, ListType, Schema};
use serde_json::{Map, Value};

use crate::formats;
use crate::language::{Lengths, Search, shortest};
use crate::object::Sampler;

/// The largest list, map or string that is created, in items or characters.
const LARGEST: usize = 5000;

impl Sampler<'_> {
    /// Returns values that `schema` accepts, the smallest ones first. Some of them are at the bounds of `other`, so that
    /// one may be a value that only one of the two accepts.
    #[must_use]
    pub fn candidates(&self, schema: &Schema, other: Option<&Schema>, hints: &[Value]) -> Vec<Value> {
        let mut found = self.raw_candidates(schema, other, 0);
        found.extend(hints.iter().cloned());
        let mut values: Vec<Value> = Vec::new();
        for value in found {
            if !values.contains(&value) && self.accepts(schema, &value) {
                values.push(value);
            }
        }
        values
    }

    /// Returns whether a value satisfies the keywords of a schema. Rules do not count.
    pub(crate) fn accepts(&self, schema: &Schema, value: &Value) -> bool {
        kgen_schema::violations(schema, value, &self.patterns).is_empty()
    }

    fn raw_candidates(&self, schema: &Schema, other: Option<&Schema>, depth: usize) -> Vec<Value> {
        let mut found = schema.limits.enumeration.clone();
        if let Some(other) = other {
            found.extend(other.limits.enumeration.iter().cloned());
        }
        if schema.int_or_string {
            found.extend(integers(schema, other));
            found.extend(self.strings(schema, other));
            return found;
        }
        match schema.json_type {
            Some(JsonType::Boolean) => found.extend([Value::Bool(false), Value::Bool(true)]),
            Some(JsonType::Integer) => found.extend(integers(schema, other)),
            Some(JsonType::Number) => {
                found.extend(integers(schema, other));
                found.extend(fractions(schema, other));
            }
            Some(JsonType::String) => found.extend(self.strings(schema, other)),
            Some(JsonType::Array) => found.extend(self.lists(schema, other, depth)),
            Some(JsonType::Object) => found.extend(self.objects(schema, other, depth)),
            None => {
                found.extend([
                    Value::Object(Map::new()),
                    Value::from(""),
                    Value::from(0),
                    Value::Bool(false),
                    Value::Array(Vec::new()),
                    Value::from(0.5),
                    Value::from("a"),
                ]);
            }
        }
        found
    }

    fn strings(&self, schema: &Schema, other: Option<&Schema>) -> Vec<Value> {
        let patterns = patterns_of(schema);
        let own = Lengths {
            least: length(schema.limits.min_length).unwrap_or_default(),
            most: length(schema.limits.max_length),
        };
        let mut found: Vec<String> = Vec::new();
        let formats = || {
            let others = other.map(formats_of).unwrap_or_default();
            formats_of(schema).into_iter().chain(others)
        };
        for format in formats() {
            found.extend(formats::samples(format).iter().map(|text| (*text).to_owned()));
        }
        if let Some(other) = other {
            let unmatched = patterns_of(other);
            if !unmatched.is_empty() {
                found.extend(self.shortest(&patterns, &unmatched, own).found());
            }
            let bounds = [
                length(other.limits.max_length).map(|most| most + 1),
                length(other.limits.min_length).and_then(|least| least.checked_sub(1)),
            ];
            for exact in bounds.into_iter().flatten().filter(|exact| *exact <= LARGEST) {
                let lengths = Lengths {
                    least: exact,
                    most: Some(exact),
                };
                found.extend(self.text(&patterns, lengths));
            }
        }
        found.extend(self.text(&patterns, own));
        found.extend(self.text(
            &patterns,
            Lengths {
                least: own.least.max(1),
                ..own
            },
        ));
        found.extend(["a", "b", "x", "0", "A", "-"].map(str::to_owned));
        if schema.nullable && other.is_some_and(|other| !other.nullable) {
            return found.into_iter().map(Value::from).chain([Value::Null]).collect();
        }
        found.into_iter().map(Value::from).collect()
    }

    fn text(&self, patterns: &[&str], lengths: Lengths) -> Option<String> {
        if patterns.is_empty() {
            return (lengths.least <= LARGEST).then(|| "a".repeat(lengths.least));
        }
        self.shortest(patterns, &[], lengths).found()
    }

    fn shortest(&self, matched: &[&str], unmatched: &[&str], lengths: Lengths) -> Search<String> {
        let own = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let key = (own(matched), own(unmatched), lengths.least, lengths.most);
        if let Some(known) = self.strings.borrow().get(&key) {
            return known.clone();
        }
        let found = shortest(matched, unmatched, lengths);
        self.strings.borrow_mut().insert(key, found.clone());
        found
    }

    fn lists(&self, schema: &Schema, other: Option<&Schema>, depth: usize) -> Vec<Value> {
        let mut counts: BTreeSet<usize> = BTreeSet::from([0, 1, 2]);
        let limits = &schema.limits;
        counts.extend(length(limits.min_items));
        if let Some(other) = other {
            counts.extend(length(other.limits.max_items).map(|most| most + 1));
            counts.extend(length(other.limits.min_items).and_then(|least| least.checked_sub(1)));
        }
        let Some(items) = &schema.items else {
            return vec![Value::Array(Vec::new())];
        };
        let other_items = other.and_then(|other| other.items.as_deref());
        let mut found = Vec::new();
        for count in counts.into_iter().filter(|count| *count <= LARGEST) {
            found.extend(
                self.distinct(schema, items, other_items, count, depth)
                    .map(Value::Array),
            );
        }
        // The same item twice: not valid in a set.
        if schema.list_type == ListType::Atomic
            && let Some(item) = self.value(items, other_items, depth + 1)
        {
            found.push(Value::Array(vec![item.clone(), item]));
        }
        found
    }

    /// Returns a list of `count` items, which differ as the list type demands.
    pub(crate) fn distinct(
        &self,
        list: &Schema,
        items: &Schema,
        other: Option<&Schema>,
        count: usize,
        depth: usize,
    ) -> Option<Vec<Value>> {
        if count == 0 {
            return Some(Vec::new());
        }
        let first = self.value(items, other, depth + 1)?;
        match list.list_type {
            _ if count == 1 => Some(vec![first]),
            ListType::Atomic => Some(vec![first; count]),
            ListType::Set => {
                let mut found = self.candidates(items, None, &numbered(count));
                found.truncate(count);
                (found.len() == count).then_some(found)
            }
            ListType::Map => {
                // One key with different values is enough.
                let key = list
                    .list_map_keys
                    .iter()
                    .find(|key| items.properties.contains_key(key.as_str()))?;
                let mut values = self.candidates(items.properties.get(key)?, None, &numbered(count));
                values.truncate(count);
                let with_key = |value: Value| {
                    let mut item = first.clone();
                    item.as_object_mut()?.insert(key.clone(), value);
                    Some(item)
                };
                let found: Vec<_> = values.into_iter().map(with_key).collect::<Option<_>>()?;
                (found.len() == count).then_some(found)
            }
        }
    }

    fn objects(&self, schema: &Schema, other: Option<&Schema>, depth: usize) -> Vec<Value> {
        let mut found: Vec<Value> = self.object(schema, other, None, depth).into_iter().collect();
        if let Some(values) = schema.additional_schema() {
            let mut counts: BTreeSet<usize> = BTreeSet::from([1, 2]);
            counts.extend(length(schema.limits.min_properties));
            if let Some(other) = other {
                counts.extend(length(other.limits.max_properties).map(|most| most + 1));
                counts.extend(length(other.limits.min_properties).and_then(|least| least.checked_sub(1)));
            }
            let other_values = other.and_then(Schema::additional_schema);
            if let Some(value) = self.value(values, other_values, depth + 1) {
                for count in counts.into_iter().filter(|count| *count <= LARGEST) {
                    let entries = (0..count).map(|index| (key_name(index), value.clone()));
                    found.push(Value::Object(entries.collect()));
                }
            }
        } else {
            // Every number of fields between the smallest object and the whole one.
            let mut entries = match found.first() {
                Some(Value::Object(entries)) => entries.clone(),
                _ => Map::new(),
            };
            for (name, property) in schema.properties.iter().filter(|_| depth < 3) {
                if !entries.contains_key(name) {
                    let other = other.and_then(|other| other.properties.get(name));
                    if let Some(value) = self.value(property, other.map(AsRef::as_ref), depth + 1) {
                        entries.insert(name.clone(), value);
                        found.push(Value::Object(entries.clone()));
                    }
                }
            }
        }
        found
    }
}

/// Returns the name of an entry of a map.
pub(crate) fn key_name(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index @ 0..=25) => char::from(b'a' + index).to_string(),
        _ => format!("key{index}"),
    }
}

/// Returns different strings and numbers.
fn numbered(count: usize) -> Vec<Value> {
    let texts = (0..count).map(|index| Value::from(format!("a{index}")));
    texts.chain((0..count).map(Value::from)).collect()
}

pub(crate) fn length(limit: Option<i64>) -> Option<usize> {
    limit.and_then(|limit| usize::try_from(limit.max(0)).ok())
}

/// Returns the pattern of a schema and those that `allOf` adds.
fn patterns_of(schema: &Schema) -> Vec<&str> {
    let own = schema.limits.pattern.as_deref();
    own.into_iter()
        .chain(schema.all_of.iter().flat_map(patterns_of))
        .collect()
}

fn formats_of(schema: &Schema) -> Vec<&str> {
    let own = schema.format.as_deref();
    own.into_iter()
        .chain(schema.all_of.iter().flat_map(formats_of))
        .collect()
}

fn integers(schema: &Schema, other: Option<&Schema>) -> Vec<Value> {
    let mut found: BTreeSet<i64> = BTreeSet::from([0, 1, -1, 2]);
    let parts = std::iter::once(schema).chain(&schema.all_of);
    let others = other
        .into_iter()
        .chain(other.into_iter().flat_map(|other| &other.all_of));
    for schema in parts.chain(others) {
        let limits = &schema.limits;
        for bound in [limits.minimum, limits.maximum].into_iter().flatten() {
            for near in [bound.floor(), bound.ceil()] {
                if let Some(near) = whole(near) {
                    found.extend(
                        [near.checked_sub(1), Some(near), near.checked_add(1)]
                            .into_iter()
                            .flatten(),
                    );
                }
            }
        }
        if let Some(factor) = limits.multiple_of.and_then(whole).filter(|factor| *factor > 0) {
            let bounds = [schema.limits.minimum, schema.limits.maximum];
            for bound in bounds.into_iter().flatten().filter_map(whole).chain([0]) {
                let first = bound.div_euclid(factor).saturating_mul(factor);
                found.extend([
                    first,
                    first.saturating_add(factor),
                    first.saturating_add(factor.saturating_mul(2)),
                ]);
            }
        }
    }
    if other.is_some() {
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        found.extend([least - 1, most + 1]);
    }
    let mut found: Vec<i64> = found.into_iter().collect();
    found.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
    found.into_iter().map(Value::from).collect()
}

fn fractions(schema: &Schema, other: Option<&Schema>) -> Vec<Value> {
    let mut found = vec![0.5];
    for schema in std::iter::once(schema).chain(other) {
        for bound in [schema.limits.minimum, schema.limits.maximum]
            .into_iter()
            .flatten()
        {
            found.extend([bound, bound + 0.25, bound - 0.25]);
        }
        found.extend(schema.limits.multiple_of);
    }
    found.into_iter().map(Value::from).collect()
}

fn whole(value: f64) -> Option<i64> {
    // Both limits are exact, and the upper one is beyond i64.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    #[expect(clippy::cast_possible_truncation, reason = "the range was just checked")]
    (value.fract() == 0.0 && (-LIMIT..LIMIT).contains(&value)).then_some(value as i64)
}
