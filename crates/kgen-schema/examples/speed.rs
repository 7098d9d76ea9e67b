//! Measures how long it takes to prune, default and validate an object with 40 fields in nested lists.

#![allow(clippy::print_stdout, reason = "the figures are for people")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use kgen_schema::Definition;
use serde_json::{Value, json};

/// How often each step runs.
const ROUNDS: u32 = 2_000;

fn main() -> Result<(), Box<dyn Error>> {
    let port = json!({"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "maxLength": 15, "pattern": "^[a-z]+$"},
        "port": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 65535},
        "protocol": {"type": "string", "enum": ["TCP", "UDP"], "default": "TCP"},
        "target": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
    }});
    let ports = json!({"type": "array", "items": port, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]});
    for (what, rules) in [
        ("without rules", json!([])),
        (
            "with two rules",
            json!([
                {"rule": "self.ports.all(port, port.port > 0)"},
                {"rule": "self.ports.size() == oldSelf.ports.size() || self.ports.size() > 0"},
            ]),
        ),
    ] {
        let definition = Definition::from_json(&json!({
            "kind": "CustomResourceDefinition",
            "spec": {
                "group": "example.com", "scope": "Namespaced",
                "names": {"kind": "Service", "plural": "services"},
                "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "properties": {"ports": ports}, "x-kubernetes-validations": rules},
                }}}}],
            },
        }))?;
        let version = definition.version("v1").ok_or("no such version")?;
        let ports: Vec<Value> = (0..10_u8)
            .map(|index| json!({"name": char::from(b'a' + index).to_string(), "port": 80, "target": "http"}))
            .collect();
        let object = json!({
            "apiVersion": "example.com/v1", "kind": "Service",
            "metadata": {"name": "a", "namespace": "default", "resourceVersion": "1"},
            "spec": {"ports": ports},
        });
        let mut complete = object.clone();
        version.prune(&mut complete)?;
        version.default(&mut complete);
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let mut object = black_box(object.clone());
            version.prune(&mut object)?;
            version.default(&mut object);
        }
        println!("prune and default {what}: {:?}", start.elapsed() / ROUNDS);
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let report = version.validate_update(black_box(&complete), &complete);
            if !report.is_valid() {
                return Err(report.message().into());
            }
        }
        println!("validate {what}: {:?}", start.elapsed() / ROUNDS);
    }
    Ok(())
}
