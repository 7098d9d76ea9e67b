//! Random CRDs with structural schemas.

use fastrand::Rng;
use serde_json::{Map, Value, json};

const NAMES: &[&str] = &[
    "name",
    "type",
    "spec",
    "template",
    "routes",
    "podIPs",
    "URL",
    "url",
    "x-y",
    "self",
    "items",
    "option",
    "value",
    "2nd",
    "$ref",
    "labels",
    "ref",
    "Kiln",
    "status",
    "metadata",
    "kind",
    "a.b",
    "string",
    "other",
    "apiVersion",
];

const TEXTS: &[&str] = &[
    "One line.",
    "Two\nlines.",
    "Ends with a blank. ",
    "  Starts with blanks.",
    "A\n\n\nB",
    "TODO later",
    "---",
    "+marker",
    "SecretRef names a secret.",
    "`code` \"quoted\" \\ back",
    "    indented",
    "tab\tbed",
    "a;b,c}d{e",
    "// comment",
    "ü",
];

/// Values of enumerations.
const VALUES: &[&str] = &[
    "",
    "a",
    "A",
    "b",
    "Self",
    "None",
    "1",
    "1.5",
    "=~",
    "*",
    "in-progress",
    "InProgress",
    "Ok",
    "true",
];

/// Kinds, some of which are not names of Rust types, or are known ones.
const KINDS: &[&str] = &[
    "Kiln",
    "kiln",
    "Result",
    "Option",
    "String",
    "Vec",
    "Box",
    "Self",
    "Map",
    "Value",
    "Time",
    "Mod",
    "HTTPRoute",
    "Crate",
    "TypeMeta",
    "ObjectMeta",
    "Serialize",
    "Default",
];

fn pick<'a>(rng: &mut Rng, list: &[&'a str]) -> &'a str {
    list[rng.usize(..list.len())]
}

/// Returns a bound that only some types of integers have.
fn pick_number(rng: &mut Rng) -> Value {
    let numbers = [
        json!(255),
        json!(65_535),
        json!(4_294_967_295_u32),
        json!(u64::MAX),
        json!(i64::MAX),
        json!(1e20),
        json!(-0.5),
    ];
    numbers[rng.usize(..numbers.len())].clone()
}

fn chance(rng: &mut Rng, one_in: usize) -> bool {
    rng.usize(..one_in) == 0
}

fn schema(rng: &mut Rng, depth: usize) -> Value {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| {
        map.insert(key.to_owned(), value);
    };
    match rng.usize(..if depth == 0 { 7 } else { 10 }) {
        0 | 1 => {
            put("type", json!("string"));
            match rng.usize(..6) {
                0 => put(
                    "enum",
                    json!([
                        pick(rng, TEXTS),
                        pick(rng, VALUES),
                        pick(rng, VALUES),
                        pick(rng, NAMES)
                    ]),
                ),
                1 => put("pattern", json!("^[a-z`\"\\\\,;{}]*$")),
                2 => put("maxLength", json!(rng.u8(..))),
                3 => put(
                    "format",
                    json!(pick(rng, &["date-time", "byte", "ipv4", "uri", "other"])),
                ),
                4 => put("default", json!(pick(rng, TEXTS))),
                _ => put("allOf", json!([{"pattern": "^a"}, {"minLength": 1}])),
            }
        }
        2 => {
            put("type", json!("integer"));
            match rng.usize(..9) {
                0 => put("format", json!("int32")),
                1 => put("format", json!("int64")),
                2 => put("minimum", json!(rng.i8(..))),
                3 => put("enum", json!([1, 2, 3])),
                4 => put("maximum", json!(f64::from(rng.i16(..)) / 2.0)),
                5 => put("maximum", json!(pick_number(rng))),
                6 => {
                    put(
                        "format",
                        json!(pick(rng, &["uint8", "uint16", "uint32", "uint64", "uint"])),
                    );
                    put("minimum", json!(0));
                    put("maximum", json!(pick_number(rng)));
                }
                7 => put("multipleOf", json!(f64::from(rng.u8(1..)) / 2.0)),
                _ => put("default", json!(rng.i16(..))),
            }
        }
        3 => put("type", json!("boolean")),
        4 => {
            put("type", json!("number"));
            put("maximum", json!(f64::from(rng.i16(..)) / 8.0));
        }
        5 => {
            put("x-kubernetes-int-or-string", json!(true));
            match rng.usize(..5) {
                0 => put("pattern", json!("^[0-9]+%?$")),
                1 => put("maximum", json!(99.5)),
                2 => put("enum", json!([1, "a"])),
                3 => {}
                _ => put("anyOf", json!([{"type": "integer"}, {"type": "string"}])),
            }
        }
        6 => {
            put("x-kubernetes-preserve-unknown-fields", json!(true));
            if rng.bool() {
                put("type", json!("object"));
            }
        }
        7 => {
            put("type", json!("array"));
            put("items", schema(rng, depth - 1));
            if rng.bool() {
                put("maxItems", json!(rng.u8(..)));
            }
        }
        8 => {
            put("type", json!("object"));
            put("additionalProperties", schema(rng, depth - 1));
        }
        _ => return object(rng, depth - 1),
    }
    decorate(rng, &mut map);
    map.into()
}

fn object(rng: &mut Rng, depth: usize) -> Value {
    let mut properties = Map::new();
    for _ in 0..rng.usize(..6) {
        properties.insert(pick(rng, NAMES).to_owned(), schema(rng, depth));
    }
    let names: Vec<String> = properties.keys().cloned().collect();
    let mut map = Map::new();
    map.insert("type".to_owned(), json!("object"));
    if !names.is_empty() {
        let required: Vec<&String> = names.iter().filter(|_| chance(rng, 3)).collect();
        if chance(rng, 4) {
            map.insert(
                "oneOf".to_owned(),
                json!([{"required": [names[0]]}, {"not": {"required": [names[0]]}}]),
            );
        }
        map.insert("required".to_owned(), json!(required));
        map.insert("properties".to_owned(), properties.into());
    }
    if chance(rng, 5) {
        map.insert("x-kubernetes-preserve-unknown-fields".to_owned(), json!(true));
    }
    if chance(rng, 5) {
        map.insert("x-kubernetes-map-type".to_owned(), json!("atomic"));
    }
    if chance(rng, 8) && !names.is_empty() {
        embed(rng, &mut map);
    }
    decorate(rng, &mut map);
    map.into()
}

/// Makes an object an embedded resource, with or without properties for its type and its metadata.
fn embed(rng: &mut Rng, map: &mut Map<String, Value>) {
    map.insert("x-kubernetes-embedded-resource".to_owned(), json!(true));
    let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for name in ["apiVersion", "kind"] {
        properties.remove(name);
        if rng.bool() {
            properties.insert(name.to_owned(), json!({"type": "string"}));
        }
    }
    properties.remove("metadata");
    if rng.bool() {
        properties.insert("metadata".to_owned(), json!({"type": "object"}));
    }
}

/// Adds keywords that any schema can have.
fn decorate(rng: &mut Rng, map: &mut Map<String, Value>) {
    if rng.bool() {
        map.insert("description".to_owned(), json!(pick(rng, TEXTS)));
    }
    if chance(rng, 6) {
        map.insert("nullable".to_owned(), json!(true));
    }
    if chance(rng, 9) {
        map.insert("title".to_owned(), json!(pick(rng, TEXTS)));
    }
}

/// Returns a random CRD in a group of its own.
pub fn crd(rng: &mut Rng, number: u64) -> Value {
    let kind = if rng.bool() { "Kiln" } else { pick(rng, KINDS) };
    let plural = format!("{}s", kind.to_lowercase());
    let names = ["v1", "v1beta2", "v2alpha1"];
    let count = if chance(rng, 4) { 2 } else { 1 };
    let versions: Vec<Value> = names
        .iter()
        .take(count)
        .enumerate()
        .map(|(index, name)| version(rng, name, index == 0))
        .collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.g{number:05}.example.com")},
        "spec": {
            "group": format!("g{number:05}.example.com"),
            "scope": pick(rng, &["Namespaced", "Cluster"]),
            "names": {"kind": kind, "plural": plural},
            "versions": versions,
        },
    })
}

fn version(rng: &mut Rng, name: &str, is_stored: bool) -> Value {
    let mut properties = Map::new();
    let mut columns = Vec::new();
    if !chance(rng, 8) {
        let mut spec = object(rng, 4);
        spec.as_object_mut().unwrap().remove("nullable");
        properties.insert("spec".to_owned(), spec);
        columns.push(json!({"name": "Name", "type": "string", "jsonPath": ".spec.name"}));
    }
    if rng.bool() {
        let mut status = object(rng, 1);
        status.as_object_mut().unwrap().remove("nullable");
        properties.insert("status".to_owned(), status);
    }
    if chance(rng, 4) {
        properties.insert(
            pick(rng, &["data", "webhooks", "x-y", "types", "other"]).to_owned(),
            schema(rng, 2),
        );
    }
    let mut root = json!({"type": "object", "properties": properties});
    if chance(rng, 5) {
        root["x-kubernetes-preserve-unknown-fields"] = json!(true);
    }
    if chance(rng, 3) {
        root["description"] = json!(pick(rng, TEXTS));
    }
    if chance(rng, 5) && root["properties"]["spec"].is_object() {
        root["required"] = json!(["spec"]);
    }
    let mut version =
        json!({"name": name, "served": true, "storage": is_stored, "schema": {"openAPIV3Schema": root}});
    if rng.bool() {
        version["subresources"] = json!({"status": {}});
    }
    if chance(rng, 3) {
        version["additionalPrinterColumns"] = json!(columns);
    }
    version
}
