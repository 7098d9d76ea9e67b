//! Random structural schemas are imported, go through `kgen crd`, and must come out equal.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "these tests need only some of it")]
mod support;

use fastrand::Rng;
use kgen_import::Options;
use serde_json::{Map, Value, json};
use support::{compare, generate, import, shown, write};

/// How many CRDs are tried, each with its number as the seed.
const TRIES: u64 = 300;

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

fn pick<'a>(rng: &mut Rng, list: &[&'a str]) -> &'a str {
    list[rng.usize(..list.len())]
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
                0 => put("enum", json!([pick(rng, TEXTS), "b", pick(rng, NAMES)])),
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
            match rng.usize(..5) {
                0 => put("format", json!("int32")),
                1 => put("format", json!("int64")),
                2 => put("minimum", json!(rng.i8(..))),
                3 => put("enum", json!([1, 2, 3])),
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
            if rng.bool() {
                put("anyOf", json!([{"type": "integer"}, {"type": "string"}]));
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
    decorate(rng, &mut map);
    map.into()
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

fn crd(rng: &mut Rng) -> Value {
    let mut spec = object(rng, 4);
    spec.as_object_mut().unwrap().remove("nullable");
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kilns.pottery.example.com"},
        "spec": {
            "group": "pottery.example.com",
            "scope": "Namespaced",
            "names": {"kind": "Kiln", "plural": "kilns"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    })
}

#[test]
fn random_schemas_come_out_equal() {
    let mut failures = Vec::new();
    for seed in 0..TRIES {
        let original = crd(&mut Rng::with_seed(seed));
        let imported = import("random", &original.to_string(), &Options::default());
        assert!(
            !imported.outcome.problems.has_errors(),
            "{seed}: {}",
            shown(&imported.outcome.problems, &imported.files)
        );
        let folder = tempfile::tempdir().unwrap();
        write(&imported.outcome, folder.path());
        match generate(folder.path()) {
            Ok(generated) => {
                let mut found = Vec::new();
                compare(&original, &generated[0], &imported.outcome, &mut found);
                if !found.is_empty() {
                    failures.push(format!("{seed}: {}", found.join("\n")));
                }
            }
            Err(problems) => failures.push(format!("{seed}: {problems}")),
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
