//! Random objects: made from a schema, or from an object that a type has written by changing a part of it.

use fastrand::Rng;
use kgen_model::{JsonType, Number, Schema};
use serde_json::{Map, Value, json};

/// Makes objects for one schema.
pub struct Objects<'a> {
    rng: &'a mut Rng,
    known: &'a [Value],
}

impl<'a> Objects<'a> {
    pub fn new(rng: &'a mut Rng, known: &'a [Value]) -> Self {
        Self { rng, known }
    }

    /// The next object. It may or may not satisfy the schema.
    pub fn next(&mut self, schema: &Schema) -> Value {
        if self.known.is_empty() || self.rng.u8(..3) == 0 {
            return self.made(schema);
        }
        let mut value = self.known[self.rng.usize(..self.known.len())].clone();
        for _ in 0..self.rng.usize(1..4) {
            self.change(schema, &mut value);
        }
        value
    }

    /// A value that mostly satisfies a schema.
    fn made(&mut self, schema: &Schema) -> Value {
        if schema.nullable && self.rng.u8(..4) == 0 {
            return Value::Null;
        }
        if let Some(values) = &schema.constraints.enumeration
            && !values.is_empty()
        {
            return values[self.rng.usize(..values.len())].clone();
        }
        match schema.json_type {
            None if schema.int_or_string => {
                if self.rng.bool() {
                    self.integer(schema)
                } else {
                    self.text(schema)
                }
            }
            None => self.anything(2),
            Some(JsonType::Boolean) => Value::Bool(self.rng.bool()),
            Some(JsonType::Integer) => self.integer(schema),
            Some(JsonType::Number) => self.number(),
            Some(JsonType::String) => self.text(schema),
            Some(JsonType::Array) => self.list(schema),
            Some(JsonType::Object) => self.object(schema),
        }
    }

    fn list(&mut self, schema: &Schema) -> Value {
        let least = schema.constraints.min_items.unwrap_or(0);
        let most = schema.constraints.max_items.unwrap_or(least + 3);
        let length = self.rng.i64(least..=most);
        let items = schema.items.as_deref();
        Value::Array(
            (0..length)
                .map(|_| items.map_or(Value::Null, |items| self.made(items)))
                .collect(),
        )
    }

    fn object(&mut self, schema: &Schema) -> Value {
        let mut entries = Map::new();
        let one_of = &schema.one_of;
        let any_of = &schema.any_of;
        let mut wanted = schema.required.clone();
        let mut preset = Map::new();
        for branches in [one_of, any_of] {
            if !branches.is_empty() {
                let branch = &branches[self.rng.usize(..branches.len())];
                wanted.extend(branch.required.iter().cloned());
                for (name, property) in &branch.properties {
                    if let Some(values) = &property.constraints.enumeration {
                        preset.extend(values.first().map(|value| (name.clone(), value.clone())));
                    }
                }
            }
        }
        // A required property must be there, and so must one alternative; others come by chance.
        let chance = self.rng.u8(..4);
        for (name, property) in &schema.properties {
            if let Some(value) = preset.get(name) {
                entries.insert(name.clone(), value.clone());
            } else if wanted.contains(name)
                || self.rng.u8(..4) < chance && one_of_allows(one_of, &wanted, name)
            {
                entries.insert(name.clone(), self.made(property));
            } else if self.rng.u8(..12) == 0 {
                entries.insert(name.clone(), Value::Null);
            }
        }
        if let Some(values) = &schema.additional_properties {
            for _ in 0..self.rng.usize(..3) {
                let key = self.any_text();
                let value = self.made(values);
                entries.insert(key, value);
            }
        }
        if schema.preserve_unknown_fields && self.rng.bool() {
            for _ in 0..self.rng.usize(..3) {
                let key = self.any_text();
                let value = self.anything(1);
                entries.insert(key, value);
            }
        }
        Value::Object(entries)
    }

    fn integer(&mut self, schema: &Schema) -> Value {
        let bound = |bound: Option<Number>| match bound {
            Some(Number::Integer(value)) => Some(value),
            _ => None,
        };
        let (least, most) = (
            bound(schema.constraints.minimum).unwrap_or(i64::MIN),
            bound(schema.constraints.maximum).unwrap_or(i64::MAX),
        );
        match self.rng.u8(..8) {
            0 => least.into(),
            1 => most.into(),
            2 => i64::from(i32::MAX).into(),
            3 => i64::from(i32::MIN).into(),
            4 => json!(5.0),
            5 => 0.into(),
            6 => (i64::from(u32::MAX) + 1).into(),
            _ => self.rng.i64(least..=most.max(least)).into(),
        }
    }

    fn number(&mut self) -> Value {
        let known = [0.0, -0.0, 1.5, 1e20, 1e300, -1e300, 3.5e38, f64::MAX, 9.3e18, 5.0];
        match self.rng.u8(..3) {
            0 => self.rng.i64(..).into(),
            _ => known[self.rng.usize(..known.len())].into(),
        }
    }

    fn any_text(&mut self) -> String {
        const TEXTS: &[&str] = &[
            "",
            "a",
            "ab",
            "0",
            "-5",
            "300",
            "127.0.0.1",
            "127.0.0.1:80",
            "1.2.3.4:99999",
            "01.2.3.4",
            "::1",
            "[::1]:80",
            "[::1%3]:80",
            "::ffff:1.2.3.4",
            "fe80::1%eth0",
            "2024-01-01T00:00:00Z",
            "2024-01-01T00:00:00.123456789+02:00",
            "2024-01-01 00:00:00Z",
            "2024-01-01t00:00:00z",
            "2016-12-31T23:59:60Z",
            "2024-02-30T00:00:00Z",
            "2024-01-01T24:00:00Z",
            "0000-01-01T00:00:00Z",
            "2024-01-01",
            "10:00:00",
            "2024-01-01T00:00:00",
            "P1DT2H",
            "1h30m",
            "1 hour",
            "AA==",
            "QUJD",
            "AB==",
            "A A=",
            "🦀",
            "10Mi",
            "1e3",
            "true",
            "null",
            "Variant1",
        ];
        TEXTS[self.rng.usize(..TEXTS.len())].to_owned()
    }

    fn text(&mut self, schema: &Schema) -> Value {
        if schema.constraints.max_length == Some(1) && self.rng.u8(..3) > 0 {
            return self.rng.char(..).to_string().into();
        }
        self.any_text().into()
    }

    fn anything(&mut self, depth: usize) -> Value {
        match self.rng.u8(..8) {
            0 => Value::Null,
            1 => Value::Bool(self.rng.bool()),
            2 => self.number(),
            3 | 4 => self.any_text().into(),
            5 if depth > 0 => Value::Array((0..2).map(|_| self.anything(depth - 1)).collect()),
            6 if depth > 0 => {
                let key = self.any_text();
                json!({ key: self.anything(depth - 1) })
            }
            _ => json!({}),
        }
    }

    /// Changes a random part of a value.
    fn change(&mut self, schema: &Schema, value: &mut Value) {
        match value {
            Value::Object(entries) if self.rng.u8(..8) > 0 => self.change_object(schema, entries),
            Value::Array(items) if self.rng.u8(..8) > 0 => {
                let anything = Schema::anything();
                let known = schema.items.as_deref().unwrap_or(&anything);
                if items.is_empty() || self.rng.u8(..3) == 0 {
                    items.push(self.made(known));
                } else {
                    let index = self.rng.usize(..items.len());
                    self.change(known, &mut items[index]);
                }
            }
            other => {
                *other = match self.rng.u8(..6) {
                    0 => Value::Null,
                    1 => self.anything(1),
                    _ => self.made(schema),
                };
            }
        }
    }

    fn change_object(&mut self, schema: &Schema, entries: &mut Map<String, Value>) {
        let names: Vec<String> = entries.keys().cloned().collect();
        let name = (!names.is_empty()).then(|| names[self.rng.usize(..names.len())].clone());
        match (self.rng.u8(..10), name) {
            (0, Some(name)) => {
                entries.remove(&name);
            }
            (1, Some(name)) => {
                entries.insert(name, Value::Null);
            }
            (2, _) => {
                entries.insert(self.any_text(), self.anything(1));
            }
            (3 | 4, _) if !schema.properties.is_empty() => {
                let index = self.rng.usize(..schema.properties.len());
                if let Some((name, property)) = schema.properties.iter().nth(index) {
                    entries.insert(name.clone(), self.made(property));
                }
            }
            (_, Some(name)) => {
                let anything = Schema::anything();
                let known = schema
                    .properties
                    .get(&name)
                    .or(schema.additional_properties.as_ref());
                let known = known.map_or(&anything, AsRef::as_ref);
                if let Some(entry) = entries.get_mut(&name) {
                    self.change(known, entry);
                }
            }
            (_, None) => {
                entries.insert(self.any_text(), self.anything(1));
            }
        }
    }
}

/// Returns whether a value is in a known gap of the promise: an `IntOrString` of Kubernetes is an `i32` in Rust, and its
/// schema has no bounds. For the API server, a string with a format may be a list.
pub fn is_in_known_gap(schema: &Schema, value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            schema.int_or_string
                && schema.constraints.minimum.is_none()
                && number
                    .as_i64()
                    .is_none_or(|number| i32::try_from(number).is_err())
        }
        Value::Array(items) => {
            let is_formatted =
                schema.json_type == Some(JsonType::String) && schema.constraints.format.is_some();
            let known = schema.items.as_deref();
            is_formatted || known.is_some_and(|known| items.iter().any(|item| is_in_known_gap(known, item)))
        }
        Value::Object(entries) => entries.iter().any(|(name, entry)| {
            let known = schema
                .properties
                .get(name)
                .or(schema.additional_properties.as_ref());
            known.is_some_and(|known| is_in_known_gap(known, entry))
        }),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// Whether a property may be there beside those of the chosen alternative.
fn one_of_allows(one_of: &[Schema], wanted: &std::collections::BTreeSet<String>, name: &str) -> bool {
    let is_alternative = one_of.iter().any(|branch| branch.required.contains(name));
    !is_alternative || wanted.contains(name)
}
