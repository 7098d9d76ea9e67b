//! Compares values with schemas.
//!
//! Mirrors `kube-openapi/pkg/validation/validate`, with its oddities. Every keyword is compared, also if the type is wrong,
//! and the number of matching keywords decides which alternative of `anyOf` and `oneOf` is reported. Properties are
//! visited in the order of their names; the API server visits them in random order.

mod numbers;
mod violation;

use kgen_cel::JsonType;
use kgen_cel::go_regex::Patterns;
use serde_json::{Map, Value};

use crate::correlation::Correlation;
use crate::formats;
use crate::path::{Path, ROOT};
use crate::schema::{AdditionalProperties, Schema};

pub use violation::{Bound, Problem, Violation};

/// Returns everything in `value` that violates a keyword of `schema`, in the order of the API server.
///
/// Rules, list types and embedded resources are not evaluated; [`Version::validate`](crate::Version::validate) does that.
/// `patterns` keeps compiled patterns between calls.
///
/// ```
/// use kgen_schema::{Patterns, Schema, violations};
/// use serde_json::json;
///
/// let schema = Schema::read(&json!({"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}}))?;
/// let found = violations(&schema, &json!({"size": 0}), &Patterns::default());
/// assert_eq!(found[0].path, "size");
/// # Ok::<(), kgen_schema::ReadError>(())
/// ```
pub fn violations(schema: &Schema, value: &Value, patterns: &Patterns) -> Vec<Violation> {
    let validator = Validator { patterns };
    validator.validate(schema, value, &ROOT, None).violations
}

/// Compares values with schemas.
#[derive(Clone, Copy)]
pub(crate) struct Validator<'p> {
    pub(crate) patterns: &'p Patterns,
}

/// The result for one value.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) violations: Vec<Violation>,
    /// The number of comparisons, as `MatchCount` of the API server counts them.
    matches: usize,
}

impl Outcome {
    fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// Adds a violation, unless one with the same message is already there.
    fn add(&mut self, path: &Path<'_>, problem: Problem) {
        self.add_violation(Violation::new(path, problem));
    }

    fn add_violation(&mut self, violation: Violation) {
        let known = |other: &Violation| other.message() == violation.message();
        if !self.violations.iter().any(known) {
            self.violations.push(violation);
        }
    }

    fn merge(&mut self, other: Outcome) {
        self.matches += other.matches;
        for violation in other.violations {
            self.add_violation(violation);
        }
    }
}

impl Validator<'_> {
    /// Compares a value with a schema. With an old value, errors of unchanged parts are left out.
    pub(crate) fn validate(
        self,
        schema: &Schema,
        value: &Value,
        path: &Path<'_>,
        correlation: Option<&Correlation<'_>>,
    ) -> Outcome {
        let mut outcome = self.compare(schema, value, path, correlation);
        if !outcome.is_valid() && correlation.is_some_and(Correlation::is_unchanged) {
            outcome.violations.clear();
        }
        outcome
    }

    fn compare(
        self,
        schema: &Schema,
        value: &Value,
        path: &Path<'_>,
        correlation: Option<&Correlation<'_>>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let format = schema.format.as_deref();
        if value.is_null() {
            check_type(schema, format, value, path, &mut outcome);
            check_enumeration(schema, value, path, &mut outcome);
            return outcome;
        }
        // Every validator that applies counts once; those for combinations and enumerations always apply.
        outcome.matches += 3;
        if has_type(schema) || format.is_some() {
            check_type(schema, format, value, path, &mut outcome);
            outcome.matches += 1;
        }
        self.check_combinations(schema, value, path, &mut outcome);
        match value {
            Value::String(text) => {
                outcome.matches += 1;
                self.check_string(schema, text, path, &mut outcome);
                if let Some(format) = format.filter(|format| formats::is_for_strings(format)) {
                    outcome.matches += 1;
                    if !formats::accepts(format, text) {
                        let (format, text) = (format.to_owned(), text.clone());
                        outcome.add(path, Problem::Format { format, text });
                    }
                }
            }
            Value::Number(number) => {
                outcome.matches += 2;
                numbers::check(schema, format, number, path, &mut outcome);
            }
            Value::Array(items) => {
                outcome.matches += 2;
                self.check_items(schema, items, path, correlation, &mut outcome);
            }
            _ => {}
        }
        check_enumeration(schema, value, path, &mut outcome);
        if let Value::Object(entries) = value {
            outcome.matches += 1;
            self.check_properties(schema, entries, path, correlation, &mut outcome);
        }
        outcome
    }

    fn check_string(self, schema: &Schema, text: &str, path: &Path<'_>, outcome: &mut Outcome) {
        let limits = &schema.limits;
        if limits.max_length.is_some() || limits.min_length.is_some() {
            let actual = text.chars().count();
            let length = i64::try_from(actual).unwrap_or(i64::MAX);
            if let Some(limit) = limits.max_length.filter(|limit| length > *limit) {
                return outcome.add(path, Problem::MaxLength { limit, actual });
            }
            if let Some(limit) = limits.min_length.filter(|limit| length < *limit) {
                let text = text.to_owned();
                return outcome.add(path, Problem::MinLength { limit, text });
            }
        }
        if let Some(pattern) = &limits.pattern
            && self.patterns.is_match(pattern, text) == Some(false)
        {
            let (pattern, text) = (pattern.clone(), text.to_owned());
            outcome.add(path, Problem::Pattern { pattern, text });
        }
    }

    fn check_items(
        self,
        schema: &Schema,
        items: &[Value],
        path: &Path<'_>,
        correlation: Option<&Correlation<'_>>,
        outcome: &mut Outcome,
    ) {
        if let Some(expected) = &schema.items {
            for (index, item) in items.iter().enumerate() {
                let old = correlation.and_then(|correlation| correlation.index(index));
                outcome.merge(self.validate(expected, item, &path.index(index), old.as_ref()));
            }
        }
        let actual = items.len();
        let size = i64::try_from(actual).unwrap_or(i64::MAX);
        if let Some(limit) = schema.limits.min_items.filter(|limit| size < *limit) {
            outcome.add(path, Problem::MinItems { limit, actual });
        }
        if let Some(limit) = schema.limits.max_items.filter(|limit| size > *limit) {
            outcome.add(path, Problem::MaxItems { limit, actual });
        }
        if schema.limits.unique_items && has_duplicates(items) {
            outcome.add(path, Problem::UniqueItems);
        }
    }

    fn check_properties(
        self,
        schema: &Schema,
        entries: &Map<String, Value>,
        path: &Path<'_>,
        correlation: Option<&Correlation<'_>>,
        outcome: &mut Outcome,
    ) {
        let actual = entries.len();
        let size = i64::try_from(actual).unwrap_or(i64::MAX);
        if let Some(limit) = schema.limits.min_properties.filter(|limit| size < *limit) {
            outcome.add(path, Problem::MinProperties { limit, actual });
        }
        if let Some(limit) = schema.limits.max_properties.filter(|limit| size > *limit) {
            outcome.add(path, Problem::MaxProperties { limit, actual });
        }
        let old = |name: &str| {
            // The type of the whole object is converted before it is compared, so a change of the type is not visible.
            let is_type = path.is_root() && matches!(name, "apiVersion" | "kind");
            correlation.filter(|_| !is_type)?.key(name)
        };
        match &schema.additional_properties {
            Some(AdditionalProperties::Allowed(false)) => {
                let unknown = sorted(entries).filter(|(name, _)| !schema.properties.contains_key(*name));
                for (name, _) in unknown {
                    let name = name.to_owned();
                    outcome.add(path, Problem::UnknownProperty { name });
                }
            }
            Some(AdditionalProperties::Schema(expected)) => {
                let others = sorted(entries).filter(|(name, _)| !schema.properties.contains_key(*name));
                for (name, value) in others {
                    let found = self.validate(expected, value, &path.key(name), old(name).as_ref());
                    outcome.merge(found);
                }
            }
            Some(AdditionalProperties::Allowed(true)) | None => {}
        }
        for (name, expected) in &schema.properties {
            if let Some(value) = entries.get(name) {
                let found = self.validate(expected, value, &path.property(name), old(name).as_ref());
                outcome.merge(found);
            }
        }
        for name in &schema.required {
            if !entries.contains_key(name) {
                let name = name.clone();
                outcome.add(path, Problem::Required { name });
            }
        }
    }

    /// Compares a value with `anyOf`, `oneOf`, `allOf` and `not`. Within these, unchanged parts are compared like others.
    fn check_combinations(self, schema: &Schema, value: &Value, path: &Path<'_>, outcome: &mut Outcome) {
        let judge = |part: &Schema| self.validate(part, value, path, None);
        let mut best = Best::default();
        for part in &schema.any_of {
            best.add(judge(part));
            if best.valid > 0 {
                break;
            }
        }
        if !schema.any_of.is_empty() {
            if best.valid == 0 {
                outcome.add(path, Problem::AnyOf);
            }
            outcome.merge(best.into_outcome());
        }
        if !schema.one_of.is_empty() {
            let mut best = Best::default();
            schema.one_of.iter().for_each(|part| best.add(judge(part)));
            match best.valid {
                1 => outcome.merge(best.into_outcome()),
                count => {
                    outcome.add(path, Problem::OneOf { count });
                    if count == 0 {
                        outcome.merge(best.into_outcome());
                    }
                }
            }
        }
        if !schema.all_of.is_empty() {
            let mut valid = 0;
            for part in &schema.all_of {
                let found = judge(part);
                valid += usize::from(found.is_valid());
                outcome.merge(found);
            }
            if valid != schema.all_of.len() {
                outcome.add(path, Problem::AllOf { none: valid == 0 });
            }
        }
        if let Some(not) = &schema.not
            && judge(not).is_valid()
        {
            outcome.add(path, Problem::Not);
        }
        outcome.matches += 1;
    }
}

/// The alternative to report: the first valid one, otherwise the one with most matches.
#[derive(Default)]
struct Best {
    valid: usize,
    first_valid: Option<Outcome>,
    failure: Option<Outcome>,
}

impl Best {
    fn add(&mut self, outcome: Outcome) {
        if outcome.is_valid() {
            self.valid += 1;
            self.first_valid.get_or_insert(outcome);
        } else if self
            .failure
            .as_ref()
            .is_none_or(|best| outcome.matches > best.matches)
        {
            self.failure = Some(outcome);
        }
    }

    fn into_outcome(self) -> Outcome {
        let mut outcome = self.first_valid.or(self.failure).unwrap_or_default();
        for violation in &mut outcome.violations {
            violation.is_detail = true;
        }
        outcome
    }
}

/// Returns the entries of an object in the order of their names, whatever order the map keeps.
pub(crate) fn sorted(entries: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let mut entries: Vec<_> = entries
        .iter()
        .map(|(name, value)| (name.as_str(), value))
        .collect();
    entries.sort_unstable_by_key(|(name, _)| *name);
    entries.into_iter()
}

fn has_type(schema: &Schema) -> bool {
    schema.json_type.is_some() || schema.int_or_string
}

fn check_type(schema: &Schema, format: Option<&str>, value: &Value, path: &Path<'_>, outcome: &mut Outcome) {
    match expected_type(schema, format, value) {
        None => outcome.matches += 1,
        Some((expected, actual)) => outcome.add(path, Problem::Type { expected, actual }),
    }
}

/// Returns the expected types and the type of the value if they differ.
fn expected_type(schema: &Schema, format: Option<&str>, value: &Value) -> Option<(String, &'static str)> {
    let expected = if schema.int_or_string {
        "integer,string"
    } else {
        schema.json_type.map_or("", type_name)
    };
    let actual = type_word(value);
    if value.is_null() {
        return (!expected.is_empty() && !schema.nullable).then(|| (expected.to_owned(), actual));
    }
    let allows = |word: &str| expected.split(',').any(|known| known == word);
    let fits = allows(actual)
        || actual == "integer" && allows("number")
        || actual == "number" && allows("integer") && numbers::is_whole(value);
    let is_text_or_list = value.is_string() || value.is_array();
    if let Some(format) = format {
        if is_text_or_list && !allows("number") && !allows("integer") {
            return None;
        }
        // The formats are compared first. Only numbers have one.
        if !is_text_or_list && !fits {
            let actual = match actual {
                "integer" => "int64",
                "number" => "float64",
                _ => "",
            };
            if format != actual {
                return Some((format.to_owned(), actual));
            }
        }
    }
    (!fits).then(|| (expected.to_owned(), actual))
}

fn type_name(json_type: JsonType) -> &'static str {
    match json_type {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    }
}

/// Returns the word for the type of a value. Numbers that do not fit into 64 bits are not integers for the API server.
fn type_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn check_enumeration(schema: &Schema, value: &Value, path: &Path<'_>, outcome: &mut Outcome) {
    let allowed = &schema.limits.enumeration;
    if allowed.is_empty()
        || !value.is_null() && allowed.iter().any(|allowed| numbers::converts_to(value, allowed))
    {
        return;
    }
    let (value, allowed) = (value.clone(), allowed.clone());
    outcome.add(path, Problem::Enum { value, allowed });
}

fn has_duplicates(items: &[Value]) -> bool {
    let mut rest = items;
    while let [first, others @ ..] = rest {
        if others.contains(first) {
            return true;
        }
        rest = others;
    }
    false
}
