//! Values to try for one node of a schema: small ones, and ones at the bounds of two schemas.

use std::collections::BTreeSet;

use kgen_schema::{JsonType, ListType, Schema};
use serde_json::{Map, Value};

use crate::formats;
use crate::language::{Lengths, Search, pattern_of, shortest};
use crate::object::{Sampler, Step};

/// The largest list, map or string that is created, in items or characters.
const LARGEST: usize = 5000;

/// The deepest combination within combinations that is considered.
const DEEPEST_PART: usize = 5;

/// How many values of a part are tried inside of a list, a map or an object.
const MOST_INNER: usize = 8;

/// The most fields of an object whose pairs are tried.
const MOST_PAIRED: usize = 6;

impl Sampler<'_> {
    /// Returns values that `schema` accepts, the smallest ones first. Some of them are at the bounds of `other`, so that
    /// one may be a value that only one of the two accepts.
    #[must_use]
    pub fn candidates(&self, schema: &Schema, other: Option<&Schema>, hints: &[Value]) -> Vec<Value> {
        let related: Vec<&Schema> = other.into_iter().flat_map(parts_of).collect();
        self.related_candidates(schema, &related, hints, 0)
    }

    /// Returns values that `schema` accepts. `related` are other schemas of the same value.
    pub(crate) fn related_candidates(
        &self,
        schema: &Schema,
        related: &[&Schema],
        hints: &[Value],
        depth: usize,
    ) -> Vec<Value> {
        let own = parts_of(schema);
        let all: Vec<&Schema> = own.iter().skip(1).chain(related).copied().collect();
        let mut found = self.raw_candidates(schema, &all, depth);
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

    /// Returns some candidates, at first those that another schema refuses.
    fn telling(&self, schema: &Schema, related: &[&Schema], depth: usize) -> Vec<Value> {
        let values = self.related_candidates(schema, related, &[], depth);
        let is_refused = |value: &Value| related.iter().any(|part| !self.accepts(part, value));
        let (mut refused, others): (Vec<Value>, Vec<Value>) = values.into_iter().partition(is_refused);
        refused.truncate(MOST_INNER);
        refused.extend(others.into_iter().take(MOST_INNER / 2));
        refused
    }

    fn raw_candidates(&self, schema: &Schema, related: &[&Schema], depth: usize) -> Vec<Value> {
        let mut found = schema.limits.enumeration.clone();
        for other in related {
            found.extend(other.limits.enumeration.iter().cloned());
        }
        if schema.int_or_string {
            found.extend(integers(schema, related));
            found.extend(self.strings(schema, related));
            return found;
        }
        match schema.json_type {
            Some(JsonType::Boolean) => found.extend([Value::Bool(false), Value::Bool(true)]),
            Some(JsonType::Integer) => found.extend(integers(schema, related)),
            Some(JsonType::Number) => {
                found.extend(integers(schema, related));
                found.extend(fractions(schema, related));
            }
            Some(JsonType::String) => found.extend(self.strings(schema, related)),
            Some(JsonType::Array) => found.extend(self.lists(schema, related, depth)),
            Some(JsonType::Object) => found.extend(self.objects(schema, related, depth)),
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
                if !related.is_empty() {
                    found.extend(self.untyped(schema, related, depth));
                }
            }
        }
        found
    }

    /// Returns values of all types, at the bounds of other schemas.
    fn untyped(&self, schema: &Schema, related: &[&Schema], depth: usize) -> Vec<Value> {
        let mut found = integers(schema, related);
        found.extend(fractions(schema, related));
        found.extend(self.strings(schema, related));
        let counts = |least: fn(&Schema) -> Option<i64>, most: fn(&Schema) -> Option<i64>| {
            let counts = counts_near(related, least, most).into_iter();
            counts.filter(|count| *count <= LARGEST)
        };
        for count in counts(|part| part.limits.min_items, |part| part.limits.max_items) {
            found.push(Value::Array(vec![Value::from(0); count]));
        }
        for count in counts(
            |part| part.limits.min_properties,
            |part| part.limits.max_properties,
        ) {
            let entries = (0..count).map(|index| (key_name(index), Value::from(0)));
            found.push(Value::Object(entries.collect()));
        }
        // What another schema accepts is at least near to what it refuses.
        for part in related
            .iter()
            .filter(|part| part.json_type.is_some() && depth < 2)
        {
            found.extend(
                self.raw_candidates(part, &[], depth + 1)
                    .into_iter()
                    .take(MOST_INNER),
            );
        }
        found.extend(self.unknown_fields(schema, related, &Map::new()));
        found
    }

    /// Returns objects with fields that only other schemas describe.
    pub(crate) fn unknown_fields(
        &self,
        schema: &Schema,
        related: &[&Schema],
        start: &Map<String, Value>,
    ) -> Vec<Value> {
        let names = related
            .iter()
            .flat_map(|part| part.properties.keys().chain(&part.required));
        let mut names: BTreeSet<String> = names
            .filter(|name| !schema.properties.contains_key(*name))
            .cloned()
            .collect();
        if related.iter().any(|part| part.additional_schema().is_some()) {
            let is_free = |name: &String| !schema.properties.contains_key(name);
            names.extend((0..26).map(key_name).find(is_free));
        }
        let mut found = Vec::new();
        for name in names {
            let inner: Vec<&Schema> = related_at(related, &Step::Field(name.clone()));
            let own: Vec<Value> = inner
                .iter()
                .filter(|part| part.json_type.is_some())
                .flat_map(|part| self.raw_candidates(part, &[], 3).into_iter().take(2))
                .collect();
            let other = [
                Value::from(0),
                Value::from("a"),
                Value::Bool(true),
                Value::Object(Map::new()),
            ];
            for value in own.into_iter().chain(other) {
                let mut entries = start.clone();
                entries.insert(name.clone(), value);
                found.push(Value::Object(entries));
            }
        }
        found
    }

    fn strings(&self, schema: &Schema, related: &[&Schema]) -> Vec<Value> {
        let patterns = patterns_of(schema);
        let own = Lengths {
            least: length(schema.limits.min_length).unwrap_or_default(),
            most: length(schema.limits.max_length),
        };
        let mut found: Vec<String> = Vec::new();
        for format in formats_of(schema)
            .into_iter()
            .chain(related.iter().filter_map(|part| part.format.as_deref()))
        {
            found.extend(formats::samples(format).iter().map(|text| (*text).to_owned()));
        }
        let others: Vec<&str> = related
            .iter()
            .filter_map(|part| part.limits.pattern.as_deref())
            .collect();
        if !others.is_empty() {
            found.extend(self.shortest(&patterns, &others, own).found());
        }
        for other in others.iter().take(MOST_INNER) {
            found.extend(self.shortest(&patterns, &[*other], own).found());
            let both: Vec<&str> = patterns.iter().chain([other]).copied().collect();
            found.extend(self.shortest(&both, &[], own).found());
        }
        let lists = related.iter().map(|part| &part.limits.enumeration);
        for listed in lists.filter_map(|values| pattern_of(values)).take(MOST_INNER) {
            found.extend(self.shortest(&patterns, &[&listed], own).found());
        }
        let mut bounds: BTreeSet<usize> = BTreeSet::new();
        for part in related {
            let limits = [part.limits.min_length, part.limits.max_length];
            for limit in limits.into_iter().filter_map(length) {
                bounds.extend([limit.saturating_sub(1), limit, limit.saturating_add(1)]);
            }
        }
        for exact in bounds.into_iter().filter(|exact| *exact <= LARGEST) {
            let lengths = Lengths {
                least: exact,
                most: Some(exact),
            };
            found.extend(self.text(&patterns, lengths));
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
        if schema.nullable && related.iter().any(|other| !other.nullable) {
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

    fn lists(&self, schema: &Schema, related: &[&Schema], depth: usize) -> Vec<Value> {
        let mut counts: BTreeSet<usize> = BTreeSet::from([0, 1, 2]);
        counts.extend(length(schema.limits.min_items));
        counts.extend(counts_near(
            related,
            |part| part.limits.min_items,
            |part| part.limits.max_items,
        ));
        let Some(items) = &schema.items else {
            return vec![Value::Array(Vec::new())];
        };
        let inner = related_at(related, &Step::Item);
        let other_items = inner.first().copied();
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
        if depth < 2 && !related.is_empty() {
            let values = self.telling(items, &inner, depth + 1);
            found.extend(values.into_iter().map(|item| Value::Array(vec![item])));
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

    fn objects(&self, schema: &Schema, related: &[&Schema], depth: usize) -> Vec<Value> {
        let other = related.iter().copied().find(|part| part.json_type.is_some());
        let mut found: Vec<Value> = self.object(schema, other, None, depth).into_iter().collect();
        let start = match found.first() {
            Some(Value::Object(entries)) => entries.clone(),
            _ => Map::new(),
        };
        if let Some(values) = schema.additional_schema() {
            let mut counts: BTreeSet<usize> = BTreeSet::from([1, 2]);
            counts.extend(length(schema.limits.min_properties));
            counts.extend(counts_near(
                related,
                |part| part.limits.min_properties,
                |part| part.limits.max_properties,
            ));
            let inner = related_at(related, &Step::Entry);
            if let Some(value) = self.value(values, inner.first().copied(), depth + 1) {
                for count in counts.into_iter().filter(|count| *count <= LARGEST) {
                    let entries = (0..count).map(|index| (key_name(index), value.clone()));
                    found.push(Value::Object(entries.collect()));
                }
            }
            if depth < 2 && !inner.is_empty() {
                for value in self.telling(values, &inner, depth + 1) {
                    let mut entries = start.clone();
                    entries.insert(key_name(0), value);
                    found.push(Value::Object(entries));
                }
            }
        } else {
            self.fields_one_by_one(schema, related, &start, depth, &mut found);
        }
        if schema.preserve_unknown_fields && depth < 2 {
            found.extend(self.unknown_fields(schema, related, &start));
        }
        found
    }

    /// Adds objects with every number of fields between the smallest object and the whole one. If there are other
    /// schemas, each field is also set alone, with its own candidates, and in pairs.
    fn fields_one_by_one(
        &self,
        schema: &Schema,
        related: &[&Schema],
        start: &Map<String, Value>,
        depth: usize,
        found: &mut Vec<Value>,
    ) {
        let mut entries = start.clone();
        let mut firsts: Vec<(&String, Value)> = Vec::new();
        for (name, property) in schema.properties.iter().filter(|_| depth < 3) {
            let inner = related_at(related, &Step::Field(name.clone()));
            let value = match start.get(name) {
                Some(known) => Some(known.clone()),
                None => self.value(property, inner.first().copied(), depth + 1),
            };
            if let Some(value) = value {
                firsts.push((name, value.clone()));
                if !entries.contains_key(name) {
                    entries.insert(name.clone(), value);
                    found.push(Value::Object(entries.clone()));
                }
            }
            if depth < 2 && !related.is_empty() {
                for value in self.telling(property, &inner, depth + 1) {
                    let mut entries = start.clone();
                    entries.insert(name.clone(), value);
                    found.push(Value::Object(entries));
                }
            }
        }
        if related.is_empty() || depth >= 2 || firsts.len() > MOST_PAIRED {
            return;
        }
        for (index, (name, value)) in firsts.iter().enumerate() {
            for (other_name, other_value) in firsts.iter().skip(index + 1) {
                let mut entries = start.clone();
                entries.insert((*name).clone(), value.clone());
                entries.insert((*other_name).clone(), other_value.clone());
                found.push(Value::Object(entries));
            }
        }
    }
}

/// Returns a schema and everything that its combinations say about the same value.
pub(crate) fn parts_of(schema: &Schema) -> Vec<&Schema> {
    fn collect<'a>(schema: &'a Schema, depth: usize, found: &mut Vec<&'a Schema>) {
        found.push(schema);
        let lists = [&schema.all_of, &schema.any_of, &schema.one_of];
        let parts = lists.into_iter().flatten().chain(schema.not.as_deref());
        for part in parts.filter(|_| depth < DEEPEST_PART) {
            collect(part, depth + 1, found);
        }
    }
    let mut found = Vec::new();
    collect(schema, 0, &mut found);
    found
}

/// Returns what some schemas of a value say about a part of it.
pub(crate) fn related_at<'a>(related: &[&'a Schema], step: &Step) -> Vec<&'a Schema> {
    let part = |schema: &'a Schema| match step {
        Step::Field(name) => schema.property(name),
        Step::Item => schema.items.as_deref(),
        Step::Entry => schema.additional_schema(),
    };
    related
        .iter()
        .copied()
        .filter_map(part)
        .flat_map(parts_of)
        .collect()
}

/// Returns the counts at the limits of some schemas, and beside them.
fn counts_near(
    related: &[&Schema],
    least: fn(&Schema) -> Option<i64>,
    most: fn(&Schema) -> Option<i64>,
) -> BTreeSet<usize> {
    let mut counts = BTreeSet::new();
    for part in related {
        for limit in [least(part), most(part)].into_iter().filter_map(length) {
            counts.extend([limit.saturating_sub(1), limit, limit.saturating_add(1)]);
        }
    }
    counts
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

fn integers(schema: &Schema, related: &[&Schema]) -> Vec<Value> {
    let mut found: BTreeSet<i64> = BTreeSet::from([0, 1, -1, 2]);
    for schema in std::iter::once(schema).chain(related.iter().copied()) {
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
        // Combinations can refuse the values that they list.
        for listed in limits.enumeration.iter().filter_map(Value::as_i64) {
            found.extend(
                [listed.checked_sub(1), Some(listed), listed.checked_add(1)]
                    .into_iter()
                    .flatten(),
            );
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
    if !related.is_empty() {
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        found.extend([least - 1, most + 1]);
    }
    let mut found: Vec<i64> = found.into_iter().collect();
    found.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
    found.into_iter().map(Value::from).collect()
}

fn fractions(schema: &Schema, related: &[&Schema]) -> Vec<Value> {
    let mut found = vec![0.5];
    for schema in std::iter::once(schema).chain(related.iter().copied()) {
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
