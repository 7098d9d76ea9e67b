//! Measures an apply to an object with 100 fields and five managers:
//! `cargo test -p kgen-fake --test apply -- --ignored --nocapture speed`.

use std::time::{Duration, Instant};

use kgen_fake::apply::{FieldManager, Kind, Schema, Version};
use serde_json::{Map, Value, json};

/// The fields of one manager: structs, an entry of a keyed list and entries of a map.
fn applied(manager: usize, value: u64) -> Value {
    let mut spec = Map::new();
    for field in 0..10 {
        spec.insert(format!("f{}", manager * 10 + field), json!(value));
    }
    spec.insert(
        "words".to_owned(),
        json!({format!("w{manager}"): "x", format!("v{manager}"): "y"}),
    );
    let port = json!({"port": manager, "name": "a", "target": value});
    spec.insert("ports".to_owned(), json!([port]));
    let fields = (0..4).map(|field| (format!("g{manager}{field}"), json!(value)));
    spec.insert("nested".to_owned(), Value::Object(fields.collect()));
    json!({
        "apiVersion": "example.org/v1", "kind": "Thing", "metadata": {"name": "a", "labels": {format!("l{manager}"): "x"}},
        "spec": spec,
    })
}

fn kind() -> Kind {
    let integer = json!({"type": "integer"});
    let fields = (0..50).map(|field| (format!("f{field}"), integer.clone()));
    let mut properties: Map<_, _> = fields.collect();
    let nested = (0..5).flat_map(|manager| (0..4).map(move |field| format!("g{manager}{field}")));
    let nested: Map<_, _> = nested.map(|name| (name, integer.clone())).collect();
    properties.insert(
        "nested".to_owned(),
        json!({"type": "object", "properties": nested}),
    );
    properties.insert(
        "words".to_owned(),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
    );
    properties.insert(
        "ports".to_owned(),
        json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"],
            "items": {"type": "object", "properties": {
                "port": integer, "name": {"type": "string"}, "target": integer,
            }},
        }),
    );
    let schema =
        json!({"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}});
    let schema = kgen_schema::Schema::read(&schema).unwrap();
    let version = Version::of_custom_resource(Schema::of_custom_resource(&schema), true);
    Kind::with_version("example.org/v1", version)
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    const TIME: &str = "2026-01-01T00:00:00Z";
    let kind = kind();
    let fields = FieldManager::new(&kind, "example.org/v1", "Thing", "");
    let mut live = fields.apply(None, &applied(0, 1), "m0", false, TIME).unwrap();
    for manager in 1..5 {
        let applied = applied(manager, 1);
        live = fields
            .apply(Some(&live), &applied, &format!("m{manager}"), false, TIME)
            .unwrap();
    }
    let leaves = |value: &Value| count(value);
    println!(
        "{} fields, {} managers",
        leaves(&live["spec"]),
        live["metadata"]["managedFields"].as_array().unwrap().len()
    );
    measure("a copy of the object, for comparison", || {
        std::hint::black_box(live.clone());
    });
    let same = applied(2, 1);
    let changed = applied(2, 2);
    let mut less = applied(2, 1);
    less["spec"].as_object_mut().unwrap().remove("words");
    for (name, applied) in [("no change", same), ("15 changed", changed), ("2 given up", less)] {
        measure(&format!("apply, {name}"), || {
            std::hint::black_box(fields.apply(Some(&live), &applied, "m2", false, TIME).unwrap());
        });
    }
    let mut new = live.clone();
    new["spec"]["f7"] = json!(5);
    measure("update, 1 changed", || {
        let mut new = new.clone();
        fields.update(Some(&live), &mut new, "m9", TIME);
        std::hint::black_box(&new);
    });
}

fn measure(name: &str, run: impl Fn()) {
    const RUNS: u32 = 500;
    let begin = processor_time();
    for _ in 0..RUNS {
        run();
    }
    println!("{name}: {:?}", (processor_time() - begin) / RUNS);
}

/// Returns the time that this thread has run. Other programs do not count.
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics
        .split(' ')
        .next()
        .and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn count(value: &Value) -> usize {
    match value {
        Value::Object(entries) => entries.values().map(count).sum(),
        Value::Array(items) => items.iter().map(count).sum(),
        _ => 1,
    }
}
