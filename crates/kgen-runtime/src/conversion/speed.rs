//! Measures reviews next to serde_json, which parses and prints the same bytes.
//!
//! `cargo test --release -p kgen-runtime --lib conversion::speed -- --ignored --nocapture`

use std::hint::black_box;
use std::time::Instant;

use serde_json::{Value, json};

use super::review::Conversions;
use super::{Change, Conversion, Variants};

/// Two translations, a rename, a list with keys, a default, and values that only `v1` has.
fn conversion() -> Conversion {
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

fn metadata() -> Value {
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

fn object() -> Value {
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

fn review(desired: &str, objects: &[Value]) -> Vec<u8> {
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "ConversionReview",
        "request": {"uid": "1", "desiredAPIVersion": desired, "objects": objects},
    });
    review.to_string().into_bytes()
}

/// The shortest time of many, in microseconds: other work on the machine only makes it longer.
fn shortest(rounds: usize, mut work: impl FnMut()) -> f64 {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e6
    });
    times.fold(f64::MAX, f64::min)
}

#[test]
#[ignore = "a measurement, for a release build"]
fn reviews_next_to_serde_json() {
    let conversions = Conversions::new(vec![conversion()]).unwrap();
    for (count, rounds) in [(1, 20_000), (1000, 50)] {
        let forward = review("example.com/v2", &vec![object(); count]);
        let answer: Value = serde_json::from_slice(&conversions.answer(&forward).unwrap()).unwrap();
        let mut objects = answer["response"]["convertedObjects"].as_array().unwrap().clone();
        for object in &mut objects {
            let annotations = object["metadata"]["annotations"].take();
            object["metadata"] = metadata();
            object["metadata"]["annotations"] = annotations;
        }
        let backward = review("example.com/v1", &objects);
        for (name, body) in [("to v2", forward), ("back to v1", backward)] {
            let serde = shortest(rounds, || {
                let json: Value = serde_json::from_slice(&body).unwrap();
                black_box(serde_json::to_vec(&json).unwrap());
            });
            let ours = shortest(rounds, || drop(black_box(conversions.answer(&body).unwrap())));
            println!(
                "{count} objects {name}, {} bytes: {ours:.1} us, serde_json {serde:.1} us, {:.2} times as long",
                body.len(),
                ours / serde
            );
        }
    }
}
