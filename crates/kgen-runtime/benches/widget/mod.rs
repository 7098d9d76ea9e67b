//! The kind of the benchmarks of conversions, and its reviews. An object has about 1 kB.

use serde_json::{Value, json};

use super::{Change, Conversion, Variants};

/// Returns a conversion with two translations, a rename, a list with keys, a default, and values that only `v1` has.
pub fn conversion() -> Conversion {
    let ports = |name: &str| {
        json!({
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "properties": {
                "name": {"type": "string"}, name: {"type": "integer"}, "protocol": {"type": "string"},
            }},
        })
    };
    let text = || json!({"type": "string"});
    let labels = json!({"type": "object", "additionalProperties": text()});
    let condition = json!({"type": "object", "properties": {
        "type": text(), "status": text(), "reason": text(), "message": text(), "lastTransitionTime": text(),
    }});
    let status = json!({"type": "object", "properties": {
        "ready": {"type": "integer"}, "observedGeneration": {"type": "integer"},
        "conditions": {"type": "array", "items": condition},
    }});
    let schemas = json!({
        "v1": {"type": "object", "properties": {"status": status, "spec": {"type": "object", "properties": {
            "size": {"type": "integer"}, "memory": text(), "address": text(), "strategy": text(), "note": text(),
            "image": text(), "labels": labels, "ports": ports("port"),
        }}}},
        "v2": {"type": "object", "properties": {"status": status, "spec": {"type": "object", "properties": {
            "replicas": {"type": "integer"}, "memoryBytes": {"type": "integer"}, "host": text(),
            "port": {"type": "integer"}, "strategy": text(), "image": text(), "labels": labels,
            "ports": ports("number"), "priority": {"type": "integer", "default": 5},
        }}}},
    });
    let spec = Change::new()
        .renamed("size", "replicas")
        .translated(
            ["memory"],
            ["memoryBytes"],
            |(memory,): (String,)| (memory.trim_end_matches("Gi").parse::<i64>().unwrap_or(0) << 30,),
            |(bytes,): (i64,)| (bytes.to_string(),),
        )
        .translated(
            ["address"],
            ["host", "port"],
            |(address,): (String,)| {
                let (host, port) = address.rsplit_once(':').unwrap_or((&address, "80"));
                (host.to_owned(), port.parse::<u16>().unwrap_or(80))
            },
            |(host, port): (String, u16)| (format!("{host}:{port}"),),
        )
        .variants("strategy", Variants::new().added("Canary", "Rolling"))
        .dropped("note")
        .each("ports", Change::new().renamed("port", "number"))
        .added("priority");
    Conversion::new("example.com", "Widget", &schemas.to_string()).step(
        "v1",
        "v2",
        Change::new().inside("spec", spec),
    )
}

pub fn metadata() -> Value {
    json!({
        "name": "sample", "namespace": "default", "uid": "1f8ad2ab-0b4c-4c4e-9a0c-6f8a3e0d4c11",
        "resourceVersion": "123456", "generation": 3, "creationTimestamp": "2026-01-01T00:00:00Z",
        "labels": {"app.kubernetes.io/name": "widget"},
        "managedFields": [{
            "manager": "kubectl", "operation": "Apply", "apiVersion": "example.com/v1",
            "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1",
            "fieldsV1": {"f:spec": {
                "f:size": {}, "f:memory": {}, "f:address": {}, "f:strategy": {}, "f:note": {},
                "f:ports": {"k:{\"name\":\"http\"}": {".": {}, "f:port": {}}},
            }},
        }],
    })
}

pub fn object() -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": metadata(),
        "spec": {
            "size": 3, "memory": "1Gi", "address": "localhost:8080", "strategy": "Rolling", "note": "hello there",
            "image": "registry.example.com/app/server:v1.2.3", "labels": {"a": "1", "b": "2"},
            "ports": [
                {"name": "http", "port": 80, "protocol": "TCP"},
                {"name": "https", "port": 443, "protocol": "TCP"},
                {"name": "metrics", "port": 8443, "protocol": "TCP"},
            ],
        },
        "status": {"ready": 3, "observedGeneration": 3, "conditions": [{
            "type": "Ready", "status": "True", "reason": "AllReady", "message": "all replicas are ready",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }]},
    })
}

pub fn review(desired: &str, objects: &[Value]) -> Vec<u8> {
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "ConversionReview",
        "request": {"uid": "1", "desiredAPIVersion": desired, "objects": objects},
    });
    review.to_string().into_bytes()
}
