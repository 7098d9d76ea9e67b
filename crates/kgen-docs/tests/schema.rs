//! `docs/docs.schema.json` describes the JSON of the pages.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::path::Path;

use serde_json::Value;

/// Checks a value against the keywords that the schema uses.
fn check(schema: &Value, root: &Value, value: &Value, place: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.strip_prefix('#').unwrap()).unwrap();
        return check(target, root, value, place);
    }
    if let Some(values) = schema["enum"].as_array() {
        assert!(values.contains(value), "{place}: {value}");
        return;
    }
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_allowed = match &schema["type"] {
        Value::Array(names) => names.iter().any(|allowed| allowed == name),
        allowed => allowed == name,
    };
    assert!(is_allowed, "{place} is of type {name}");
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        check(&schema["items"], root, item, &format!("{place}[{index}]"));
    }
    for required in schema["required"].as_array().into_iter().flatten() {
        assert!(
            value.get(required.as_str().unwrap()).is_some(),
            "{place} has no {required}"
        );
    }
    for (name, entry) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(property) => check(property, root, entry, &format!("{place}.{name}")),
            None => assert!(schema["additionalProperties"] != false, "{place} has {name}"),
        }
    }
}

#[test]
fn the_schema_describes_the_json() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(root.join(path)).unwrap()).unwrap()
    };
    let schema = read("docs/docs.schema.json");
    let pages = read("testdata/cases/docs/expected/api.json");
    assert!(pages["kinds"].as_array().unwrap().len() > 1);
    check(&schema, &schema, &pages, "");
}
