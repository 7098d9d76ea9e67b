//! Random schemas, random edits of them, and random objects.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// Names of properties. Few, so that combinations and rules meet them.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

const PATTERNS: [&str; 7] = [
    "^[a-z]*$",
    "^[a-z0-9]*$",
    "a",
    "^(a|b)*$",
    "^x?",
    "^[0-9.]+$",
    "b$",
];

const FORMATS: [&str; 6] = ["ipv4", "date-time", "uuid", "hostname", "byte", "duration"];

/// Strings of the formats above, and others.
const TEXTS: [&str; 14] = [
    "",
    "a",
    "b",
    "c",
    "ab",
    "zz",
    "A1",
    "0",
    "aaaaaaa",
    "10.0.0.1",
    "2026-01-02T03:04:05Z",
    "a8098c1a-f86e-11da-bd1a-00112444be1e",
    "YQ==",
    "1h30m",
];

fn chance(random: &mut Rng, one_in: usize) -> bool {
    random.usize(..one_in) == 0
}

fn pick<'l, T>(random: &mut Rng, list: &'l [T]) -> &'l T {
    &list[random.usize(..list.len())]
}

/// Returns the specs of a pair of CRDs: a random one, and one with some edits.
pub fn pair(random: &mut Rng) -> (Value, Value) {
    let mut before = object(random, 2);
    let mut after = before.clone();
    for _ in 0..random.usize(1..3) {
        edit(random, &mut after, 2);
    }
    for spec in [&mut before, &mut after] {
        drop_wrong_rules(spec);
    }
    if chance(random, 3) {
        respell(random, &mut before, &mut after);
    }
    (before, after)
}

/// Adds a field with the same values to both states: one lists them, and the other has another keyword or none.
fn respell(random: &mut Rng, before: &mut Value, after: &mut Value) {
    let spellings = [
        [json!({"enum": ["a", "b"]}), json!({"pattern": "^(a|b)$"})],
        [json!({"enum": [1, 2, 3]}), json!({"minimum": 1, "maximum": 3})],
        [json!({"enum": [true, false]}), json!({})],
    ];
    let index = random.usize(..spellings.len());
    let mut fields = spellings[index].clone();
    if random.bool() {
        fields.reverse();
    }
    let is_nullable = random.bool();
    for (spec, mut field) in [before, after].into_iter().zip(fields) {
        field["type"] = json!(["string", "integer", "boolean"][index]);
        if is_nullable {
            field["nullable"] = json!(true);
        }
        if let Some(properties) = spec.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert("e".to_owned(), field);
        }
    }
}

/// Returns a CRD with a spec.
pub fn definition(spec: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kettles.tea.example.org"},
        "spec": {
            "group": "tea.example.org",
            "names": {"kind": "Kettle", "listKind": "KettleList", "plural": "kettles", "singular": "kettle"},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "properties": {"spec": spec},
                }},
            }],
        },
    })
}

/// Adds keywords that narrow a string.
fn narrow_text(random: &mut Rng, schema: &mut Value) {
    if chance(random, 3) {
        schema["maxLength"] = json!(random.u8(1..6));
    }
    if chance(random, 4) {
        schema["minLength"] = json!(random.u8(0..3));
    }
    if chance(random, 4) {
        schema["pattern"] = json!(pick(random, &PATTERNS));
    }
    if chance(random, 5) {
        let lists = [
            json!(["a", "b"]),
            json!(["a", "c"]),
            json!(["a", "b", "10.0.0.1", "zz"]),
        ];
        schema["enum"] = pick(random, &lists).clone();
    }
}

/// Adds keywords that narrow a number.
fn narrow_number(random: &mut Rng, schema: &mut Value, is_integer: bool) {
    let bound = |random: &mut Rng, value: i32| {
        if is_integer || random.bool() {
            json!(value)
        } else {
            json!(f64::from(value) + 0.5)
        }
    };
    if chance(random, 3) {
        let value = random.i32(-2..3);
        schema["minimum"] = bound(random, value);
        if chance(random, 3) {
            schema["exclusiveMinimum"] = json!(true);
        }
    }
    if chance(random, 3) {
        let value = random.i32(3..8);
        schema["maximum"] = bound(random, value);
        if chance(random, 3) {
            schema["exclusiveMaximum"] = json!(true);
        }
    }
    if chance(random, 6) && is_integer {
        schema["multipleOf"] = json!(random.u8(1..4));
    }
    if chance(random, 5) {
        let lists = if is_integer {
            [json!([1, 2, 3]), json!([1, 5])]
        } else {
            [json!([0.5, 2]), json!([1, 2.5, 6])]
        };
        schema["enum"] = pick(random, &lists).clone();
    }
}

/// Adds a combination of keywords that `narrow` adds.
fn combine(random: &mut Rng, schema: &mut Value, narrow: fn(&mut Rng) -> Value) {
    match random.u8(..4) {
        0 => schema["allOf"] = json!([narrow(random)]),
        1 => schema["anyOf"] = json!([narrow(random), narrow(random)]),
        2 => schema["oneOf"] = json!([narrow(random), narrow(random)]),
        _ => schema["not"] = narrow(random),
    }
}

fn text_part(random: &mut Rng) -> Value {
    let mut part = json!({});
    for _ in 0..6 {
        narrow_text(random, &mut part);
        if part != json!({}) {
            return part;
        }
    }
    json!({"enum": ["b"]})
}

fn integer_part(random: &mut Rng) -> Value {
    let mut part = json!({});
    for _ in 0..6 {
        narrow_number(random, &mut part, true);
        if part != json!({}) {
            return part;
        }
    }
    json!({"maximum": 5})
}

fn fields_part(random: &mut Rng) -> Value {
    let name = *pick(random, &NAMES);
    match random.u8(..4) {
        0 => json!({"required": [name]}),
        1 => json!({"required": [name, pick(random, &NAMES)]}),
        2 => json!({"properties": {name: {"enum": ["a", 1, true]}}}),
        _ => json!({"maxProperties": random.u8(1..3)}),
    }
}

fn string(random: &mut Rng) -> Value {
    let mut schema = json!({"type": "string"});
    narrow_text(random, &mut schema);
    if chance(random, 8) {
        schema = json!({"type": "string", "format": pick(random, &FORMATS)});
    }
    if chance(random, 6) {
        combine(random, &mut schema, text_part);
    }
    if chance(random, 10) {
        schema["x-kubernetes-validations"] = json!([{"rule": "self != 'b'"}]);
    }
    schema
}

fn number(random: &mut Rng) -> Value {
    let json_type = *pick(random, &["integer", "integer", "number"]);
    let mut schema = json!({"type": json_type});
    let is_integer = json_type == "integer";
    narrow_number(random, &mut schema, is_integer);
    if chance(random, 4) && is_integer {
        schema["format"] = json!(pick(random, &["int32", "int64"]));
    }
    if chance(random, 6) {
        combine(random, &mut schema, integer_part);
    }
    if chance(random, 10) && is_integer {
        schema["x-kubernetes-validations"] = json!([{"rule": "self < 5"}]);
    }
    schema
}

fn int_or_string(random: &mut Rng) -> Value {
    let mut schema = json!({"x-kubernetes-int-or-string": true});
    match random.u8(..5) {
        0 => narrow_text(random, &mut schema),
        1 => narrow_number(random, &mut schema, true),
        2 => schema["anyOf"] = json!([{"type": "integer"}, {"type": "string"}]),
        _ => {}
    }
    schema
}

fn anything(random: &mut Rng) -> Value {
    let mut schema = json!({"x-kubernetes-preserve-unknown-fields": true});
    match random.u8(..5) {
        0 => narrow_text(random, &mut schema),
        1 => narrow_number(random, &mut schema, false),
        2 => combine(random, &mut schema, text_part),
        _ => {}
    }
    schema
}

fn embedded(random: &mut Rng) -> Value {
    let mut schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    if random.bool() {
        schema["x-kubernetes-embedded-resource"] = json!(true);
    }
    if random.bool() {
        schema["properties"] = json!({"a": string(random)});
    }
    schema
}

fn object(random: &mut Rng, depth: usize) -> Value {
    let mut properties = BTreeMap::new();
    let mut required = Vec::new();
    for name in NAMES {
        if random.u8(..3) > 0 {
            let mut property = schema(random, depth);
            if chance(random, 3) {
                required.push(name);
            } else if chance(random, 4)
                && let Some(default) = default(&property)
            {
                property["default"] = default;
            }
            properties.insert(name, property);
        }
    }
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if chance(random, 8) {
        schema["x-kubernetes-preserve-unknown-fields"] = json!(true);
    }
    if chance(random, 10) {
        schema["minProperties"] = json!(random.u8(..3));
    }
    if chance(random, 8) {
        combine(random, &mut schema, fields_part);
    }
    if chance(random, 10) {
        schema["x-kubernetes-validations"] = json!([{"rule": "has(self.a)"}]);
    }
    schema
}

/// Returns a valid default of a scalar.
fn default(schema: &Value) -> Option<Value> {
    let read = kgen_schema::Schema::read(schema).ok()?;
    let found = kgen_sample::Sampler::new(&read, None).smallest();
    found.filter(|value| !value.is_object() && !value.is_array())
}

fn list(random: &mut Rng, depth: usize) -> Value {
    let mut list = json!({"type": "array", "items": schema(random, depth)});
    if random.bool() {
        list["maxItems"] = json!(random.u8(1..4));
    }
    if chance(random, 5) {
        list["minItems"] = json!(random.u8(..2));
    }
    let is_scalar = list["items"]["type"]
        .as_str()
        .is_some_and(|word| ["string", "integer", "boolean"].contains(&word));
    let is_nullable = list["items"]["nullable"] == json!(true);
    if is_scalar && !is_nullable && chance(random, 3) {
        list["x-kubernetes-list-type"] = json!("set");
    }
    let has_key = list["items"]["properties"]["a"]["type"]
        .as_str()
        .is_some_and(|word| ["string", "integer", "boolean"].contains(&word));
    if has_key && random.bool() {
        list["x-kubernetes-list-type"] = json!("map");
        list["x-kubernetes-list-map-keys"] = json!(["a"]);
        list["items"]["required"] = json!(["a"]);
        list["items"]["properties"]["a"]
            .as_object_mut()
            .unwrap()
            .remove("default");
        list["items"]["properties"]["a"]
            .as_object_mut()
            .unwrap()
            .remove("nullable");
    }
    list
}

fn schema(random: &mut Rng, depth: usize) -> Value {
    let mut found = match random.u8(..11) {
        0 | 1 => string(random),
        2 | 3 => number(random),
        4 => json!({"type": "boolean"}),
        5 => int_or_string(random),
        6 => anything(random),
        7 if depth > 0 => list(random, depth - 1),
        8 if depth > 0 => json!({"type": "object", "additionalProperties": schema(random, depth - 1)}),
        9 if depth > 0 => embedded(random),
        _ if depth > 0 => object(random, depth - 1),
        _ => string(random),
    };
    if chance(random, 8) {
        found["nullable"] = json!(true);
    }
    found
}

/// Changes one random node of a schema.
fn edit(random: &mut Rng, node: &mut Value, depth: usize) {
    let names: Vec<String> = node["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    match random.u8(..7) {
        0 | 1 if !names.is_empty() => {
            let name = pick(random, &names);
            edit(random, &mut node["properties"][name], depth.saturating_sub(1));
        }
        2 if node["items"].is_object() && node.get("x-kubernetes-list-type").is_none() => {
            edit(random, &mut node["items"], depth.saturating_sub(1));
        }
        3 if !names.is_empty() && depth > 0 => *node = object(random, depth - 1),
        4 if !names.is_empty() => {
            let mut other = object(random, depth.saturating_sub(1));
            other["properties"] = node["properties"].clone();
            other.as_object_mut().unwrap().remove("required");
            *node = other;
        }
        5 => drop_keyword(random, node),
        _ => {
            let same_type = node["type"].clone();
            for _ in 0..20 {
                let other = schema(random, depth.min(1));
                if other["type"] == same_type || chance(random, 6) {
                    *node = other;
                    return;
                }
            }
        }
    }
}

/// Removes the rules that the API server refuses: about fields that do not exist or have no type, and about texts that a
/// format makes something else.
fn drop_wrong_rules(node: &mut Value) {
    let scalars = ["string", "integer", "number", "boolean"];
    let has_a = node["properties"]["a"]["type"]
        .as_str()
        .is_some_and(|word| scalars.contains(&word));
    if let Value::Object(map) = node {
        let is_object = map.get("type") == Some(&json!("object"));
        let is_formatted = map.get("type") == Some(&json!("string")) && map.contains_key("format");
        if is_object && !has_a || is_formatted {
            map.remove("x-kubernetes-validations");
        }
        map.values_mut().for_each(drop_wrong_rules);
    }
}

/// Removes one keyword that narrows a value.
fn drop_keyword(random: &mut Rng, node: &mut Value) {
    let structural = [
        "type",
        "properties",
        "items",
        "additionalProperties",
        "x-kubernetes-int-or-string",
        "x-kubernetes-list-map-keys",
    ];
    let Some(map) = node.as_object_mut() else { return };
    let is_untyped = !map.contains_key("type");
    let keys: Vec<String> = map
        .keys()
        .filter(|key| !structural.contains(&key.as_str()))
        .filter(|key| !(is_untyped && key.as_str() == "x-kubernetes-preserve-unknown-fields"))
        .cloned()
        .collect();
    if !keys.is_empty() {
        let key = pick(random, &keys);
        map.remove(key);
        if key == "x-kubernetes-list-type" {
            map.remove("x-kubernetes-list-map-keys");
        }
    }
}

/// Values that a pair of schemas mentions, and values beside them.
#[derive(Default)]
pub struct Pool {
    values: Vec<Value>,
}

impl Pool {
    /// Collects the values of some schemas.
    pub fn of(schemas: &[&Value]) -> Self {
        let mut pool = Self::default();
        for schema in schemas {
            pool.collect(schema);
        }
        for text in TEXTS {
            pool.add(json!(text));
        }
        for value in [
            json!(0),
            json!(1),
            json!(-3),
            json!(3_000_000_000_i64),
            json!(0.5),
            json!(true),
        ] {
            pool.add(value);
        }
        pool
    }

    fn add(&mut self, value: Value) {
        if !self.values.contains(&value) {
            self.values.push(value);
        }
    }

    fn collect(&mut self, value: &Value) {
        match value {
            Value::Object(map) => map.values().for_each(|value| self.collect(value)),
            Value::Array(items) => items.iter().for_each(|value| self.collect(value)),
            Value::Number(number) => {
                let Some(float) = number.as_f64() else { return };
                if let Some(number) = number.as_i64() {
                    for near in [number - 1, number, number + 1] {
                        self.add(json!(near));
                    }
                    if let Ok(count) = usize::try_from(number)
                        && count < 10
                    {
                        self.add(json!("a".repeat(count)));
                        self.add(json!("a".repeat(count + 1)));
                    }
                }
                self.add(json!(float + 0.25));
                self.add(json!(float - 0.25));
            }
            Value::String(_) => self.add(value.clone()),
            _ => {}
        }
    }

    fn scalar(&self, random: &mut Rng, wanted: fn(&Value) -> bool) -> Value {
        let fitting: Vec<&Value> = self.values.iter().filter(|value| wanted(value)).collect();
        (*pick(random, &fitting)).clone()
    }

    /// Returns a random value that may have the type of a schema.
    pub fn value(&self, random: &mut Rng, schema: &Value, depth: usize) -> Value {
        if schema["nullable"] == json!(true) && chance(random, 6) {
            return Value::Null;
        }
        if schema["x-kubernetes-int-or-string"] == json!(true) {
            return self.scalar(random, |value| value.is_string() || value.is_i64());
        }
        match schema["type"].as_str() {
            Some("string") => self.scalar(random, Value::is_string),
            Some("integer") => self.scalar(random, Value::is_i64),
            Some("number") => self.scalar(random, Value::is_number),
            Some("boolean") => json!(random.bool()),
            Some("array") => {
                let items = (0..random.usize(..4)).map(|_| self.value(random, &schema["items"], depth + 1));
                Value::Array(items.collect())
            }
            Some("object") => self.object(random, schema, depth),
            _ if chance(random, 5) && depth < 4 => self.object(random, schema, depth),
            _ if chance(random, 8) => json!([]),
            _ => self.scalar(random, |_| true),
        }
    }

    fn object(&self, random: &mut Rng, schema: &Value, depth: usize) -> Value {
        let mut entries = Map::new();
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if required.contains(&name.as_str()) || random.bool() {
                entries.insert(name.clone(), self.value(random, property, depth + 1));
            }
        }
        if schema["additionalProperties"].is_object() {
            for name in NAMES.iter().take(random.usize(..3)) {
                let value = self.value(random, &schema["additionalProperties"], depth + 1);
                entries.insert((*name).to_owned(), value);
            }
        }
        let keeps = schema["x-kubernetes-preserve-unknown-fields"] == json!(true);
        if keeps && random.bool() {
            let name = (*pick(random, &NAMES)).to_owned();
            if !entries.contains_key(&name) {
                entries.insert(name, self.scalar(random, |_| true));
            }
        }
        if schema["x-kubernetes-embedded-resource"] == json!(true) {
            entries.insert("apiVersion".to_owned(), json!("v1"));
            entries.insert("kind".to_owned(), json!("ConfigMap"));
        }
        Value::Object(entries)
    }
}
