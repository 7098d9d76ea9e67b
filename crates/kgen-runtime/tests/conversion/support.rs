//! Small conversions between `v1` and `v2`.

use kgen_runtime::conversion::{Change, Conversion};
use serde_json::{Value, json};

/// Returns a conversion whose specs have the given properties.
pub fn conversion(older: Value, newer: Value, spec: Change) -> Conversion {
    let schemas = json!({"v1": schema(older), "v2": schema(newer)});
    Conversion::new("example.com", "Widget", &schemas.to_string()).step(
        "v1",
        "v2",
        Change::new().inside("spec", spec),
    )
}

fn schema(properties: Value) -> Value {
    json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": properties},
        "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
    }})
}

/// Returns an object with a spec.
pub fn widget(version: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Widget",
        "metadata": {"name": "a", "namespace": "default"},
        "spec": spec,
    })
}

/// Converts a spec of `v1` to `v2`, and the result back: the first result is the spec in `v2`. The law *whole* is checked.
pub fn forward(conversion: &Conversion, spec: Value) -> Value {
    there_and_back(conversion, "v1", "v2", spec)
}

/// Converts a spec of `v2` to `v1` in the same way.
pub fn backward(conversion: &Conversion, spec: Value) -> Value {
    there_and_back(conversion, "v2", "v1", spec)
}

fn there_and_back(conversion: &Conversion, from: &str, to: &str, spec: Value) -> Value {
    let object = widget(from, spec);
    let converted = conversion.convert_json(object.clone(), to).unwrap();
    assert_eq!(converted["apiVersion"], format!("example.com/{to}"));
    let back = conversion.convert_json(converted.clone(), from).unwrap();
    assert_eq!(back, object, "through {converted}");
    converted["spec"].clone()
}

/// Returns the kept values of a version, as JSON.
pub fn kept(object: &Value, version: &str) -> Value {
    let annotation = format!("example.com/conversion-{version}");
    match object["metadata"]["annotations"].get(annotation) {
        None => Value::Null,
        Some(text) => serde_json::from_str(text.as_str().unwrap()).unwrap(),
    }
}
