//! Random schemas, and random newer schemas with the tables that lead to them.

use fastrand::Rng;
use kgen_runtime::conversion::{Change, Contents, Variants};
use serde_json::{Map, Value, json};

/// Returns a random schema of an object. Every field is optional, so that every table is complete.
pub fn schema(random: &mut Rng, depth: usize) -> Value {
    let mut properties = Map::new();
    for number in 0..random.usize(1..6) {
        properties.insert(format!("f{number}"), field(random, depth));
    }
    json!({"type": "object", "properties": properties})
}

fn field(random: &mut Rng, depth: usize) -> Value {
    let mut field = match random.u8(..if depth < 3 { 12 } else { 5 }) {
        0 | 1 => json!({"type": "string"}),
        2 => json!({"type": "integer"}),
        3 => json!({"type": "boolean"}),
        4 => json!({"type": "string", "enum": ["Red", "Green", "Blue"]}),
        5 | 6 => schema(random, depth + 1),
        7 => json!({"type": "array", "items": schema(random, depth + 1)}),
        8 => {
            let mut items = schema(random, depth + 1);
            items["properties"]["key"] = json!({"type": "string"});
            items["required"] = json!(["key"]);
            json!({
                "type": "array",
                "items": items,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["key"],
            })
        }
        9 => json!({"type": "object", "additionalProperties": schema(random, depth + 1)}),
        10 => json!({"type": "array", "items": {"type": "integer"}}),
        _ => json!({
            "type": "object",
            "x-tagged": true,
            "properties": {
                "type": {"type": "string", "enum": ["A", "B"]},
                "a": {"type": "string"},
                "b": {"type": "integer"},
            },
        }),
    };
    if random.u8(..6) == 0 {
        let default = match (field["type"].as_str(), field.get("enum")) {
            (Some("string"), None) => json!("default"),
            (Some("string"), Some(_)) => json!("Red"),
            (Some("integer"), _) => json!(5),
            (Some("object"), _) => json!({}),
            _ => json!(null),
        };
        if !default.is_null() {
            field["default"] = default;
        }
    }
    field
}

/// Returns a random newer schema of an object and the table of the differences.
pub fn newer(random: &mut Rng, older: &Value) -> (Value, Change) {
    let mut properties = Map::new();
    let mut change = Change::new();
    let empty = Map::new();
    for (name, field) in older["properties"].as_object().unwrap_or(&empty) {
        // The keys of a list stay as they are.
        if name == "key" {
            properties.insert(name.clone(), field.clone());
            continue;
        }
        change = difference(random, name, field, &mut properties, change);
    }
    for number in 0..random.u8(..3) {
        let name = format!("new{number}");
        if properties.contains_key(&name) {
            continue;
        }
        properties.insert(name.clone(), field(random, 3));
        let is_text = properties[&name] == json!({"type": "string"});
        change = match random.u8(..4) {
            0 if is_text => change.added_with(&name, || "filled"),
            // A mistake of the author: there is no line. Another type under the same name would need one.
            1 if older["properties"].get(&name).is_none() => change,
            _ => change.added(&name),
        };
    }
    let mut schema = older.clone();
    schema["properties"] = Value::Object(properties);
    (schema, change)
}

fn difference(
    random: &mut Rng,
    name: &str,
    field: &Value,
    properties: &mut Map<String, Value>,
    change: Change,
) -> Change {
    // Names of older versions can come back with another meaning.
    let mut other = format!("{name}x");
    while properties.contains_key(&other) {
        other.push('x');
    }
    let mut put = |name: &str, field: Value| drop(properties.insert(name.to_owned(), field));
    let (is_text, is_enum) = (field["type"] == "string", field.get("enum").is_some());
    let has_default = field.get("default").is_some();
    match random.u8(..14) {
        0 => {
            put(&other, field.clone());
            change.renamed(name, &other)
        }
        1 => change.dropped(name),
        // A mistake of the author: there is no line.
        2 => change,
        3 if is_text && !is_enum && !has_default => {
            put(&other, json!({"type": "integer"}));
            change.translated([name], [other.as_str()], lengths, letters)
        }
        4 if is_text && !is_enum && !has_default => {
            put(name, json!({"type": "integer"}));
            change.translated([name], [name], lengths, letters)
        }
        5 if is_text && !is_enum && !has_default => {
            let (host, port) = (format!("{name}host"), format!("{name}port"));
            put(&host, json!({"type": "string"}));
            put(&port, json!({"type": "integer"}));
            change.translated(
                [name],
                [host.as_str(), port.as_str()],
                |(text,): (String,)| {
                    let (host, port) = text.split_once(':').unwrap_or((&text, ""));
                    (host.to_owned(), port.parse::<u8>().ok())
                },
                |(host, port): (Option<String>, Option<u8>)| {
                    (host.zip(port).map(|(host, port)| format!("{host}:{port}")),)
                },
            )
        }
        6 if field["type"] == "integer" => {
            put(name, field.clone());
            change.widened(name, |wide: i64| wide.clamp(-5, 5))
        }
        7 if field["type"] == "integer" => {
            put(&other, field.clone());
            change.narrowed((name, other.as_str()), |wide: i64| wide.clamp(-5, 5))
        }
        8 if is_text && !is_enum => {
            let inner =
                json!({"type": "object", "properties": {"moved": field, "extra": {"type": "string"}}});
            put(&other, inner);
            change.moved([name], [other.as_str(), "moved"]).added(&other)
        }
        9 => {
            let mut field = field.clone();
            match field.as_object_mut().unwrap().remove("default") {
                Some(_) => {}
                None if is_text && !is_enum => field["default"] = json!("new default"),
                None => {}
            }
            put(name, field);
            change
        }
        _ if field["enum"] == json!(["Red", "Green", "Blue"]) => {
            put(name, json!({"type": "string", "enum": ["Red", "Teal", "Gold"]}));
            let variants = Variants::new()
                .renamed("Blue", "Teal")
                .dropped("Green", "Red")
                .added("Gold", "Red");
            change.variants(name, variants)
        }
        _ if field.get("x-tagged").is_some() => {
            let mut field = json!({
                "type": "object",
                "properties": {
                    "type": {"type": "string", "enum": ["A2", "B", "C"]},
                    "renamed": {"type": "string"},
                    "b": {"type": "integer"},
                },
            });
            if has_default {
                field["default"] = json!({});
            }
            put(name, field);
            let variants = Variants::internal("type")
                .inside(("A", "A2"), Change::new().renamed("a", "renamed"))
                .added("C", "B");
            change.variants(name, variants)
        }
        _ if field.get("properties").is_some() => {
            let (inner, inside) = newer(random, field);
            put(&other, inner);
            change.inside((name, other.as_str()), inside)
        }
        _ if field["items"].get("properties").is_some() => {
            let (items, inside) = newer(random, &field["items"]);
            let mut field = field.clone();
            field["items"] = items;
            put(name, field);
            change.each(name, inside)
        }
        _ if field["items"]["type"] == "integer" => {
            put(name, field.clone());
            let half = |number: i64| {
                assert!(number != 7, "no sevens");
                number / 2
            };
            change.each(name, Contents::value(half, |number: i64| number.wrapping_mul(2)))
        }
        _ if field.get("additionalProperties").is_some() => {
            let (values, inside) = newer(random, &field["additionalProperties"]);
            let mut field = field.clone();
            field["additionalProperties"] = values;
            put(name, field);
            change.each(name, inside)
        }
        _ => {
            put(name, field.clone());
            change
        }
    }
}

/// Loses nearly all information, and panics occasionally.
fn lengths((text,): (String,)) -> (i64,) {
    assert!(text.len() != 3, "no threes");
    (i64::try_from(text.len()).unwrap(),)
}

fn letters((length,): (i64,)) -> (String,) {
    ("y".repeat(usize::try_from(length.clamp(0, 20)).unwrap()),)
}
