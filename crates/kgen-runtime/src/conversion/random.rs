//! Random objects that fit a schema, for the check of a conversion.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use fastrand::Rng;
use kgen_schema::{JsonType, ListType, META_FIELDS, Problem, Schema, Segment, Version, Violation};
use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value, json};

/// A function that makes a value of a random number.
type Make = Arc<dyn Fn(u64) -> Value + Send + Sync>;

/// The fields whose values are not made from the schema alone, by version and path.
#[derive(Clone, Default)]
pub(super) struct Special {
    pub(super) patterns: BTreeMap<(String, String), String>,
    pub(super) values: BTreeMap<(String, String), Make>,
}

impl fmt::Debug for Special {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.keys().collect();
        let mut shown = formatter.debug_struct("Special");
        shown.field("patterns", &self.patterns);
        shown.field("values", &values).finish()
    }
}

/// Makes random values of one version.
pub(super) struct Maker<'m> {
    pub(super) random: &'m mut Rng,
    pub(super) version: &'m Version,
    pub(super) special: &'m Special,
    path: Vec<String>,
}

impl<'m> Maker<'m> {
    pub(super) fn new(random: &'m mut Rng, version: &'m Version, special: &'m Special) -> Self {
        Self {
            random,
            version,
            special,
            path: Vec::new(),
        }
    }

    /// Makes a whole object without its type and metadata. Returns whether it fits the schema, too.
    pub(super) fn object(&mut self) -> (Value, bool) {
        let mut object = Value::Null;
        for _ in 0..4 {
            object = self.value(self.version.schema());
            if let Value::Object(entries) = &mut object {
                for name in META_FIELDS {
                    entries.remove(name);
                }
            }
            if is_complete(self.version, &object) {
                return (object, true);
            }
        }
        (object, false)
    }

    /// Makes a value that fits a schema in most cases.
    pub(super) fn value(&mut self, schema: &Schema) -> Value {
        let key = (self.version.name().to_owned(), self.path.join("."));
        if let Some(make) = self.special.values.get(&key) {
            return make(self.random.u64(..));
        }
        if schema.nullable && self.random.u8(..8) == 0 {
            return Value::Null;
        }
        if let Some(value) = self.random.choice(&schema.limits.enumeration) {
            return value.clone();
        }
        if schema.int_or_string {
            return match self.random.bool() {
                true => Value::from(self.random.u8(..100)),
                false => Value::from(format!("{}%", self.random.u8(..100))),
            };
        }
        match schema.json_type {
            Some(JsonType::Object) => Value::Object(self.fields(schema)),
            Some(JsonType::Array) => Value::Array(self.items(schema)),
            Some(JsonType::String) => {
                let pattern = self.special.patterns.get(&key).cloned();
                Value::from(self.text(schema, pattern.as_deref()))
            }
            Some(JsonType::Integer) => Value::from(self.integer(schema)),
            Some(JsonType::Number) => self.number(schema),
            Some(JsonType::Boolean) => Value::from(self.random.bool()),
            None => match self.random.u8(..4) {
                0 => Value::from(self.random.bool()),
                1 => Value::from(self.random.u8(..)),
                2 => json!({"free": {"form": [1, "2"]}}),
                _ => Value::from("free"),
            },
        }
    }

    fn fields(&mut self, schema: &Schema) -> Map<String, Value> {
        let mut entries = Map::new();
        let branches: Vec<&Schema> = schema.one_of.iter().chain(&schema.any_of).collect();
        let branch = self.random.choice(&branches).copied();
        for (name, property) in &schema.properties {
            let in_branch = branch.is_some_and(|branch| branch.required.contains(name));
            let is_needed = schema.required.contains(name) || in_branch;
            // Contents of another variant.
            let is_foreign = !is_needed && branches.iter().any(|branch| branch.required.contains(name));
            let forbidden = branch.and_then(|branch| branch.not.as_ref());
            let is_forbidden = forbidden.is_some_and(|not| not.required.contains(name));
            if is_forbidden || is_foreign || (!is_needed && self.random.bool()) {
                continue;
            }
            self.path.push(name.clone());
            let narrowed = branch.and_then(|branch| branch.properties.get(name));
            let allowed = narrowed.and_then(|narrowed| self.random.choice(&narrowed.limits.enumeration));
            let value = match allowed {
                Some(value) => value.clone(),
                None => self.value(property),
            };
            self.path.pop();
            entries.insert(name.clone(), value);
        }
        if let Some(other) = schema.additional_schema() {
            for _ in 0..self.random.u8(..3) {
                let key = self.word();
                let value = self.value(other);
                entries.insert(key, value);
            }
        } else if schema.preserve_unknown_fields && self.random.bool() {
            entries.insert("unknown".to_owned(), json!({"a": [1]}));
        }
        entries
    }

    fn items(&mut self, schema: &Schema) -> Vec<Value> {
        let least = size(schema.limits.min_items).unwrap_or(0);
        let most = size(schema.limits.max_items).unwrap_or(usize::MAX);
        let count = self.random.usize(..4).max(least).min(most);
        let Some(expected) = &schema.items else {
            return Vec::new();
        };
        let identity = |item: &Value| match schema.list_type {
            ListType::Map => {
                let keys = schema.list_map_keys.iter().map(|key| item.get(key));
                Some(keys.map(|key| key.map(Value::to_string)).collect::<Vec<_>>())
            }
            ListType::Set => Some(vec![Some(item.to_string())]),
            ListType::Atomic => None,
        };
        let mut items: Vec<Value> = Vec::new();
        let mut known = Vec::new();
        for _ in 0..count * 8 {
            if items.len() == count {
                break;
            }
            let item = self.value(expected);
            if let Some(identity) = identity(&item) {
                if known.contains(&identity) {
                    continue;
                }
                known.push(identity);
            }
            items.push(item);
        }
        items
    }

    fn integer(&mut self, schema: &Schema) -> i64 {
        let (least, most) = match schema.format.as_deref() {
            Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
            _ => (i64::MIN, i64::MAX),
        };
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a bound that is too large is cut off"
        )]
        let bound = |limit: Option<f64>| limit.map(|limit| limit as i64);
        let least = bound(schema.limits.minimum).map_or(least, |limit| {
            least.max(limit.saturating_add(i64::from(schema.limits.exclusive_minimum)))
        });
        let most = bound(schema.limits.maximum).map_or(most, |limit| {
            most.min(limit.saturating_sub(i64::from(schema.limits.exclusive_maximum)))
        });
        let value = match self.random.u8(..8) {
            0 => least,
            1 => most,
            2 => 0,
            3 => 1,
            4 => -1,
            _ => self.random.i64(-10..1000),
        };
        value.max(least).min(most)
    }

    fn number(&mut self, schema: &Schema) -> Value {
        let whole = self.integer(schema).clamp(-1_000_000, 1_000_000);
        match self.random.u8(..3) {
            0 => Value::from(whole),
            1 => json!(f64::from(self.random.u16(..)) / 100.0),
            #[allow(clippy::cast_precision_loss, reason = "any number will do")]
            _ => json!(whole as f64 + 0.5),
        }
    }

    fn word(&mut self) -> String {
        let length = self.random.usize(1..6);
        (0..length).map(|_| self.random.lowercase()).collect()
    }

    fn text(&mut self, schema: &Schema, pattern: Option<&str>) -> String {
        if let Some(pattern) = pattern.or(schema.limits.pattern.as_deref())
            && let Some(text) = self.matching(pattern)
        {
            return text;
        }
        let number = self.random.u8(..);
        match schema.format.as_deref() {
            Some("date-time") => return format!("2026-01-02T03:04:05.{number:06}Z"),
            Some("date") => return format!("2026-01-{:02}", number % 28 + 1),
            Some("duration") => return format!("{number}s"),
            Some("byte") => return "aGVsbG8=".to_owned(),
            Some("ipv4" | "ip") => return format!("10.0.0.{number}"),
            Some("ipv6") => return format!("fd00::{number:x}"),
            Some("cidr") => return format!("10.{number}.0.0/16"),
            Some("uuid" | "uuid4") => return crate::random::uuid(),
            Some("uri") => return format!("https://example.com/{number}"),
            _ => {}
        }
        let mut text = match self.random.u8(..6) {
            0 => String::new(),
            1 => number.to_string(),
            2 => format!("{number}Gi"),
            3 => format!("{}:{number}", self.word()),
            4 => "Ärger \"\\\n".to_owned(),
            _ => self.word(),
        };
        let least = size(schema.limits.min_length).unwrap_or(0);
        while text.chars().count() < least {
            text.push(self.random.lowercase());
        }
        if let Some(most) = size(schema.limits.max_length) {
            text = text.chars().take(most).collect();
        }
        text
    }

    /// Makes a string that matches a pattern in most cases.
    fn matching(&mut self, pattern: &str) -> Option<String> {
        let parsed = regex_syntax::parse(pattern).ok()?;
        let mut text = String::new();
        self.write(&parsed, &mut text);
        Some(text)
    }

    fn write(&mut self, part: &Hir, text: &mut String) {
        match part.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
            HirKind::Class(Class::Unicode(class)) => {
                let ranges = class.ranges();
                if let Some(range) = self.random.choice(ranges) {
                    text.push(self.random.char(range.start()..=range.end()));
                }
            }
            HirKind::Class(Class::Bytes(class)) => {
                let ranges = class.ranges();
                if let Some(range) = self.random.choice(ranges) {
                    text.push(char::from(self.random.u8(range.start()..=range.end())));
                }
            }
            HirKind::Repetition(repetition) => {
                let most = repetition
                    .max
                    .unwrap_or(repetition.min + 4)
                    .min(repetition.min + 8);
                for _ in 0..self.random.u32(repetition.min..=most) {
                    self.write(&repetition.sub, text);
                }
            }
            HirKind::Capture(capture) => self.write(&capture.sub, text),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.write(part, text)),
            HirKind::Alternation(parts) => {
                let index = self.random.usize(..parts.len().max(1));
                if let Some(part) = parts.get(index) {
                    self.write(part, text);
                }
            }
        }
    }
}

fn size(limit: Option<i64>) -> Option<usize> {
    limit.map(|limit| usize::try_from(limit).unwrap_or(0))
}

/// Returns whether an object without its type and metadata fits its schema.
pub(super) fn is_complete(version: &Version, object: &Value) -> bool {
    let is_metadata = |violation: &Violation| match (violation.segments.first(), &violation.problem) {
        (None, Problem::Required { name }) => META_FIELDS.contains(&name.as_str()),
        (Some(Segment::Name(name)), _) => META_FIELDS.contains(&name.as_str()),
        _ => false,
    };
    version
        .violations(version.schema(), object)
        .iter()
        .all(is_metadata)
        && !version.schema().has_unknown_fields(object, false)
}
