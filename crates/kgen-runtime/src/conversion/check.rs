//! Checks the laws of a conversion with random objects, for the author's tests.

use std::fmt;

use fastrand::Rng;
use kgen_schema::{Problem, Segment, Version};
use serde_json::{Map, Value};

use super::error::ConversionError;
use super::random::{Maker, Special, is_complete};
use super::table::{Conversion, Observed, Parts};

/// The objects that [`Conversion::check`] tries.
#[derive(Clone, Debug)]
#[must_use]
pub struct Checks {
    objects: usize,
    seed: u64,
    special: Special,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            objects: 1000,
            seed: 1,
            special: Special::default(),
        }
    }
}

impl Checks {
    /// Sets the number of random objects, for all versions together: 1,000 by default.
    pub fn objects(mut self, objects: usize) -> Self {
        self.objects = objects;
        self
    }

    /// Sets the seed of the random objects. The same seed gives the same objects.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Gives a field strings that match a pattern. Without one, the pattern of the schema is used, if there is one.
    ///
    /// `field` is a path without indexes and keys, such as `spec.ports.name`.
    pub fn pattern(mut self, version: &str, field: &str, pattern: &str) -> Self {
        let key = (version.to_owned(), field.to_owned());
        self.special.patterns.insert(key, pattern.to_owned());
        self
    }

    /// Gives a field the values of a function of a random number.
    ///
    /// ```
    /// use kgen_runtime::conversion::Checks;
    ///
    /// let checks = Checks::default()
    ///     .pattern("v1", "spec.memory", "[1-9][0-9]{0,2}(Mi|Gi)")
    ///     .value("v1", "spec.address", |random| format!("host-{}:{}", random % 10, random % 65536).into());
    /// ```
    pub fn value(
        mut self,
        version: &str,
        field: &str,
        value: impl Fn(u64) -> Value + Send + Sync + 'static,
    ) -> Self {
        let key = (version.to_owned(), field.to_owned());
        self.special.values.insert(key, std::sync::Arc::new(value));
        self
    }
}

/// A law that an object violates, with the smallest such object that was found.
#[derive(Clone, Debug)]
pub struct CheckFailure(Box<Violated>);

#[derive(Clone, Debug)]
struct Violated {
    law: &'static str,
    reason: String,
    from: String,
    to: String,
    object: String,
    converted: String,
}

impl CheckFailure {
    /// Returns the law: `whole`, `honest`, `total`, `exact`, `steps` or `same version`.
    pub fn law(&self) -> &str {
        self.0.law
    }

    /// Returns the JSON of the object that violates it.
    pub fn object(&self) -> &str {
        &self.0.object
    }
}

impl fmt::Display for CheckFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violated {
            law,
            reason,
            from,
            to,
            object,
            converted,
        } = &*self.0;
        write!(
            formatter,
            "the law `{law}` does not hold from {from} to {to}: {reason}\nin {from}: {object}\nin {to}: {converted}"
        )
    }
}

impl std::error::Error for CheckFailure {}

/// A law that does not hold, and why.
type Broken = (&'static str, String);

impl Conversion {
    /// Checks the laws with random objects of all versions.
    ///
    /// This is for tests: it takes about a second, and functions that panic write to standard error.
    ///
    /// # Errors
    ///
    /// Returns the smallest object that violates a law.
    pub fn check(&self, checks: Checks) -> Result<(), CheckFailure> {
        if let Err(error) = self.checked() {
            return Err(CheckFailure(Box::new(Violated {
                law: "total",
                reason: error.to_string(),
                from: "every version".to_owned(),
                to: "every version".to_owned(),
                object: String::new(),
                converted: String::new(),
            })));
        }
        let mut random = Rng::with_seed(checks.seed);
        for number in 0..checks.objects {
            let from = number % self.chain.len().max(1);
            let Some(source) = self.chain.get(from) else { break };
            let (object, is_valid) = Maker::new(&mut random, &source.version, &checks.special).object();
            // Every second object is checked with parts missing.
            let mut case = Case {
                body: object,
                is_valid,
                edit: random.u64(..),
            };
            if number % 4 >= 2 {
                thin_out(&mut case.body, &mut random);
                case.is_valid = false;
            }
            for to in 0..self.chain.len() {
                if let Some(broken) = self.broken(&case, from, to, &checks) {
                    return Err(self.smallest(case, from, to, &checks, broken));
                }
            }
        }
        Ok(())
    }

    /// Returns the law that an object violates.
    fn broken(&self, case: &Case, from: usize, to: usize, checks: &Checks) -> Option<Broken> {
        let (source, target) = (&self.chain.get(from)?.version, &self.chain.get(to)?.version);
        let original = Parts {
            body: case.body.clone(),
            annotations: Map::new(),
        };
        let converted = match self.quietly(original, from, to) {
            Ok(converted) => converted,
            Err(error) => return Some(("total", error.to_string())),
        };
        if from == to {
            let is_same = converted.body == case.body && converted.annotations.is_empty();
            return (!is_same).then(|| ("same version", differing(&case.body, &converted.body)));
        }
        if let Some(reason) = self.inexact(case, source, target, &converted.body) {
            return Some(("exact", reason));
        }
        let edited = self.edited(&converted, target, case, checks);
        if from.abs_diff(to) > 1 {
            let between = if from < to { to - 1 } else { to + 1 };
            let start = Parts {
                body: case.body.clone(),
                annotations: Map::new(),
            };
            let stepwise = self
                .quietly(start, from, between)
                .and_then(|parts| self.quietly(parts, between, to));
            match stepwise {
                Ok(parts) if parts.body == converted.body => {}
                Ok(parts) => return Some(("steps", differing(&converted.body, &parts.body))),
                Err(error) => return Some(("total", error.to_string())),
            }
        }
        match self.quietly(converted, to, from) {
            Ok(back) if back.body == case.body && back.annotations.is_empty() => {}
            Ok(back) => return Some(("whole", differing(&case.body, &back.body))),
            Err(error) => return Some(("total", error.to_string())),
        }
        let expected = edited.body.clone();
        let returned = self
            .quietly(edited, to, from)
            .and_then(|parts| self.quietly(parts, from, to));
        match returned {
            Ok(parts) if parts.body == expected => None,
            Ok(parts) => Some((
                "honest",
                format!("an edit was lost: {}", differing(&expected, &parts.body)),
            )),
            Err(error) => Some(("total", error.to_string())),
        }
    }

    fn quietly(&self, parts: Parts, from: usize, to: usize) -> Result<Parts, ConversionError> {
        self.convert_observed(
            parts,
            from,
            to,
            &|| "a random object".to_owned(),
            &mut Observed::default(),
        )
    }

    /// Returns why a result does not fit the target.
    fn inexact(&self, case: &Case, source: &Version, target: &Version, body: &Value) -> Option<String> {
        let unknown = kgen_schema::unknown_fields(target.schema(), body);
        if let Some(path) = unknown.first() {
            return Some(format!("{} does not declare {}", target.name(), text(path)));
        }
        if !case.is_valid || !is_complete(source, &case.body) {
            return None;
        }
        let violations = target.violations(target.schema(), body);
        let violation = violations.into_iter().find(|violation| {
            let is_metadata =
                matches!(violation.segments.first(), Some(Segment::Name(name)) if name == "metadata");
            let is_wrong = match &violation.problem {
                Problem::Required { name } => {
                    !violation.segments.is_empty() || !kgen_schema::META_FIELDS.contains(&name.as_str())
                }
                Problem::Type { .. } | Problem::Enum { .. } => true,
                _ => false,
            };
            is_wrong && !is_metadata && !violation.is_detail
        });
        violation.map(|violation| violation.into_field_error().to_string())
    }

    /// Returns a converted object with a random field replaced by a random value.
    fn edited(&self, converted: &Parts, target: &Version, case: &Case, checks: &Checks) -> Parts {
        let mut random = Rng::with_seed(case.edit);
        let (other, _) = Maker::new(&mut random, target, &checks.special).object();
        let mut body = converted.body.clone();
        graft(&mut body, &other, &mut random);
        Parts {
            body,
            annotations: converted.annotations.clone(),
        }
    }

    /// Removes parts of an object as long as it violates the same law.
    fn smallest(
        &self,
        mut case: Case,
        from: usize,
        to: usize,
        checks: &Checks,
        first: Broken,
    ) -> CheckFailure {
        let mut broken = first;
        let mut attempts = 0;
        'smaller: loop {
            for index in 0.. {
                let mut smaller = case.clone();
                if attempts == 2000 || !remove_part(&mut smaller.body, &mut { index }) {
                    break 'smaller;
                }
                attempts += 1;
                match self.broken(&smaller, from, to, checks) {
                    Some(found) if found.0 == broken.0 => {
                        broken = found;
                        case = smaller;
                        continue 'smaller;
                    }
                    _ => {}
                }
            }
        }
        let converted = Parts {
            body: case.body.clone(),
            annotations: Map::new(),
        };
        let converted = self.quietly(converted, from, to).unwrap_or_default();
        let name = |index: usize| self.versions().nth(index).unwrap_or_default().to_owned();
        let mut shown = converted.body;
        if let Value::Object(entries) = &mut shown
            && !converted.annotations.is_empty()
        {
            let metadata = serde_json::json!({"annotations": converted.annotations});
            entries.insert("metadata".to_owned(), metadata);
        }
        CheckFailure(Box::new(Violated {
            law: broken.0,
            reason: broken.1,
            from: name(from),
            to: name(to),
            object: case.body.to_string(),
            converted: shown.to_string(),
        }))
    }
}

/// An object to check.
#[derive(Clone, Debug)]
struct Case {
    body: Value,
    /// Whether the object fits its schema.
    is_valid: bool,
    /// The seed of the edit.
    edit: u64,
}

/// Removes random parts of a value.
fn thin_out(value: &mut Value, random: &mut Rng) {
    match value {
        Value::Object(entries) => {
            let names: Vec<String> = entries.keys().cloned().collect();
            for name in names {
                if random.u8(..5) == 0 {
                    entries.remove(&name);
                }
            }
            entries.values_mut().for_each(|entry| thin_out(entry, random));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| thin_out(item, random)),
        _ => {}
    }
}

/// Replaces one part of a value by the same part of another value of the same type.
fn graft(value: &mut Value, other: &Value, random: &mut Rng) {
    if let (Value::Object(entries), Value::Object(others)) = (&mut *value, other) {
        let mut names: Vec<&String> = others.keys().collect();
        names.extend(entries.keys().filter(|name| !others.contains_key(*name)));
        let index = random.usize(..names.len().max(1));
        let Some(name) = names.get(index).map(|name| (*name).clone()) else {
            return;
        };
        match (entries.get_mut(&name), others.get(&name)) {
            (Some(entry), Some(other)) => graft(entry, other, random),
            (None, Some(other)) => drop(entries.insert(name, other.clone())),
            (_, None) => drop(entries.remove(&name)),
        }
    } else {
        *value = other.clone();
    }
}

/// Removes the part with a number, counted in depth. Returns `false` if there are fewer parts.
fn remove_part(value: &mut Value, index: &mut usize) -> bool {
    match value {
        Value::Object(entries) => {
            let names: Vec<String> = entries.keys().cloned().collect();
            for name in names {
                if *index == 0 {
                    entries.remove(&name);
                    return true;
                }
                *index -= 1;
                if let Some(entry) = entries.get_mut(&name)
                    && remove_part(entry, index)
                {
                    return true;
                }
            }
        }
        Value::Array(items) => {
            for position in 0..items.len() {
                if *index == 0 {
                    items.remove(position);
                    return true;
                }
                *index -= 1;
                if let Some(item) = items.get_mut(position)
                    && remove_part(item, index)
                {
                    return true;
                }
            }
        }
        _ => {}
    }
    false
}

/// Names the first difference between two values.
fn differing(expected: &Value, found: &Value) -> String {
    let mut path = Vec::new();
    let (mut expected, mut found) = (Some(expected), Some(found));
    while let (Some(Value::Object(left)), Some(Value::Object(right))) = (expected, found) {
        let mut names = left.keys().chain(right.keys());
        let Some(name) = names.find(|name| left.get(*name) != right.get(*name)) else {
            break;
        };
        path.push(name.as_str());
        (expected, found) = (left.get(name), right.get(name));
    }
    let shown = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    let place = if path.is_empty() {
        "the object".to_owned()
    } else {
        path.join(".")
    };
    format!("{place} is {}, not {}", shown(found), shown(expected))
}

fn text(path: &[Segment]) -> String {
    let steps = path.iter().map(|segment| match segment {
        Segment::Name(name) => name.clone(),
        Segment::Index(index) => index.to_string(),
    });
    steps.collect::<Vec<_>>().join(".")
}
