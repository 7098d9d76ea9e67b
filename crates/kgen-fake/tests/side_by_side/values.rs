//! Random values for schemas: most of them are valid.

use serde_json::{Map, Value, json};

use crate::random::Random;

/// Returns a value for a schema.
pub fn value(random: &mut Random, schema: &Value, depth: usize) -> Value {
    if random.chance(4) {
        return odd(random);
    }
    if let Some(choices) = schema["enum"].as_array()
        && !random.chance(6)
    {
        return random.pick(choices).clone();
    }
    if schema["x-kubernetes-int-or-string"] == true {
        return random
            .pick(&[json!(3), json!("3"), json!("50%"), json!("abc")])
            .clone();
    }
    match schema["type"].as_str() {
        Some("object") => object(random, schema, depth),
        Some("array") => {
            let count = random.below(4);
            (0..count)
                .map(|_| value(random, &schema["items"], depth + 1))
                .collect()
        }
        Some("integer") => random
            .pick(&[1, 2, 3, 4, 8, 10, 13, 50, 0, -1, 100, 101, 70000])
            .to_owned()
            .into(),
        Some("number") => random
            .pick(&[
                json!(1),
                json!(0.5),
                json!(1.5),
                json!(-1),
                json!(0),
                json!(0.3),
                json!(2),
            ])
            .clone(),
        Some("boolean") => Value::Bool(random.chance(50)),
        Some("string") => text(random, schema).into(),
        _ => random
            .pick(&[
                json!({"a": 1}),
                json!([1, "x"]),
                json!("free"),
                json!(7),
                json!({"b": {"c": null}}),
            ])
            .clone(),
    }
}

fn text(random: &mut Random, schema: &Value) -> &'static str {
    let choices: &[&'static str] = match schema["format"].as_str() {
        Some("date-time") => &[
            "2020-01-02T03:04:05Z",
            "2021-12-31T23:59:59.123+02:00",
            "2020-01-02",
            "x",
        ],
        Some("duration") => &["1s", "3h2m", "5 hours", "x"],
        Some("email") => &["a@b.org", "Ann <ann@b.org>", "nobody"],
        Some("uuid") => &["9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "9b1deb4d"],
        Some("ipv4") => &["10.0.0.1", "10.0.0", "::1"],
        Some("byte") => &["aGVsbG8=", "a", ""],
        _ => &[
            "a",
            "b",
            "abc",
            "red",
            "AB",
            "",
            "x-y",
            "30m",
            "2h",
            "500Mi",
            "2Gi",
            "https://e.org/a",
            "Ready",
            "abcdefghijklm",
            "True",
        ],
    };
    let choice: &&'static str = random.pick(choices);
    choice
}

/// Returns an object with some of its properties, and sometimes with an unknown one.
pub fn object(random: &mut Random, schema: &Value, depth: usize) -> Value {
    let mut result = Map::new();
    let properties = schema["properties"].as_object();
    let is_large = properties.is_some_and(|properties| properties.len() > 8);
    let required = schema["required"].as_array();
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required.is_some_and(|required| required.iter().any(|key| key == name));
        let chance = if is_required {
            95
        } else if is_large {
            16
        } else {
            50
        };
        if random.chance(chance) {
            result.insert(name.clone(), value(random, property, depth + 1));
        }
    }
    if schema["additionalProperties"].is_object() {
        for _ in 0..random.below(4) {
            let key = *random.pick(&["a", "b", "c.d/e", "k"]);
            let entry = value(random, &schema["additionalProperties"], depth + 1);
            result.insert(key.to_owned(), entry);
        }
    }
    if schema["x-kubernetes-embedded-resource"] == true {
        for (key, entry) in [
            ("apiVersion", json!("v1")),
            ("kind", json!("ConfigMap")),
            ("metadata", json!({"name": "inner", "labels": {"x": "y"}})),
        ] {
            if random.chance(80) {
                result.insert(key.to_owned(), entry);
            }
        }
    }
    if schema["x-kubernetes-preserve-unknown-fields"] == true {
        for _ in 0..random.below(3) {
            let key = *random.pick(&["x", "y", "known", "list"]);
            result.insert(key.to_owned(), any(random, depth + 1));
        }
    } else if random.chance(3) {
        result.insert("unknown".to_owned(), json!(1));
    }
    Value::Object(result)
}

/// Returns any value.
pub fn any(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth > 3 { 5 } else { 7 }) {
        0 => json!(random.below(100)),
        1 => json!("text"),
        2 => Value::Bool(random.chance(50)),
        3 => json!(1.5),
        4 => Value::Null,
        5 => (0..random.below(3)).map(|_| any(random, depth + 1)).collect(),
        _ => json!({"p": any(random, depth + 1), "q": any(random, depth + 1)}),
    }
}

/// Returns a value that probably has the wrong type.
fn odd(random: &mut Random) -> Value {
    random
        .pick(&[
            Value::Null,
            json!("text"),
            json!(5),
            json!(1.5),
            json!(true),
            json!({}),
            json!([]),
            json!({"a": "b"}),
            json!(["a", "a"]),
        ])
        .clone()
}

/// Returns a random path of a field, as names, and its schema.
pub fn path(random: &mut Random, schema: &Value) -> (Vec<String>, Value) {
    let mut path = Vec::new();
    let mut schema = schema.clone();
    while path.is_empty() || random.chance(60) {
        let next = match (schema["properties"].as_object(), schema["type"].as_str()) {
            (Some(properties), _) if !properties.is_empty() => {
                let names: Vec<&String> = properties.keys().collect();
                let name = (*random.pick(&names)).clone();
                let inner = properties[&name].clone();
                (name, inner)
            }
            (_, Some("array")) => {
                let name = (*random.pick(&["0", "1", "-", "2"])).to_owned();
                (name, schema["items"].clone())
            }
            _ => {
                if path.is_empty() {
                    return (vec!["x".to_owned()], Value::Null);
                }
                break;
            }
        };
        path.push(next.0);
        schema = next.1;
    }
    (path, schema)
}

/// Returns a merge patch: some values are null.
pub fn patch(random: &mut Random, schema: &Value) -> Value {
    let mut patch = object(random, schema, 0);
    if let Some(entries) = patch.as_object_mut() {
        for entry in entries.values_mut() {
            if random.chance(20) {
                *entry = Value::Null;
            }
        }
    }
    patch
}
