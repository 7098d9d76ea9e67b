//! The four laws, for random tables and random objects.
//!
//! `KGEN_CONVERSION_TABLES` sets the number of tables.

use std::panic;

use fastrand::Rng;
use kgen_runtime::conversion::{Change, Checks, Conversion};
use kgen_schema::{Schema, unknown_fields};
use serde_json::{Map, Value, json};

use crate::tables::{newer, schema};

fn tables() -> u64 {
    let count = std::env::var("KGEN_CONVERSION_TABLES");
    count.ok().and_then(|count| count.parse().ok()).unwrap_or(150)
}

/// Returns a random conversion between three versions, and their schemas.
fn random_conversion(random: &mut Rng) -> (Conversion, [Value; 3]) {
    let (mut v2, mut v3) = (Map::new(), Map::new());
    let v1 = json!({"spec": schema(random, 0), "status": schema(random, 2)});
    let mut changes = [Change::new(), Change::new()];
    for name in ["spec", "status"] {
        let (second, inside) = newer(random, &v1[name]);
        changes[0] = std::mem::take(&mut changes[0]).inside(name, inside);
        let (third, inside) = newer(random, &second);
        changes[1] = std::mem::take(&mut changes[1]).inside(name, inside);
        v2.insert(name.to_owned(), second);
        v3.insert(name.to_owned(), third);
    }
    let schemas = [v1, Value::Object(v2), Value::Object(v3)]
        .map(|properties| json!({"type": "object", "properties": properties}));
    let text = json!({"v1": schemas[0], "v2": schemas[1], "v3": schemas[2]}).to_string();
    let [first, second] = changes;
    let conversion = Conversion::new("example.com", "Widget", &text)
        .step("v1", "v2", first)
        .step("v2", "v3", second);
    (conversion, schemas)
}

/// Runs a test without the messages of the panics that it wants.
fn without_messages(test: impl FnOnce() + panic::UnwindSafe) {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let text = info.to_string();
        if !text.contains("no threes") && !text.contains("no sevens") {
            hook(info);
        }
    }));
    test();
}

#[test]
fn all_laws_hold_for_random_tables() {
    without_messages(|| {
        for seed in 0..tables() {
            let (conversion, schemas) = random_conversion(&mut Rng::with_seed(seed));
            if let Err(failure) = conversion.check(Checks::default().objects(18).seed(seed)) {
                panic!(
                    "seed {seed}: {failure}\nv1: {}\nv2: {}\nv3: {}\n{conversion:#?}",
                    schemas[0], schemas[1], schemas[2]
                );
            }
        }
    });
}

/// Returns values that have nothing to do with the schema, except for some names.
fn garbage(random: &mut Rng, depth: usize) -> Value {
    match random.u8(..if depth < 5 { 10 } else { 5 }) {
        0 => Value::Null,
        1 => json!(random.bool()),
        2 => json!(random.i64(..)),
        3 => json!("Blue"),
        4 => json!(random.f64()),
        5 => (0..random.usize(..4))
            .map(|_| garbage(random, depth + 1))
            .collect(),
        _ => {
            let mut entries = Map::new();
            for _ in 0..random.usize(..6) {
                let names = [
                    "f0", "f1", "f2", "f3", "f0x", "f1x", "new0", "moved", "type", "key", "a", "b",
                ];
                let name = random.choice(names).unwrap();
                entries.insert(name.to_owned(), garbage(random, depth + 1));
            }
            Value::Object(entries)
        }
    }
}

#[test]
fn every_object_converts_and_the_result_is_exact() {
    without_messages(|| {
        for seed in 0..tables() {
            let mut random = Rng::with_seed(seed);
            let (conversion, schemas) = random_conversion(&mut random);
            for _ in 0..20 {
                let (from, to) = (random.usize(..3), random.usize(..3));
                let mut object =
                    json!({"apiVersion": format!("example.com/v{}", from + 1), "kind": "Widget"});
                for name in ["spec", "status", "metadata", "other"] {
                    if random.u8(..4) > 0 {
                        object[name] = garbage(&mut random, 0);
                    }
                }
                if random.bool() {
                    let kept = json!([{"at": ["spec", "f0"], "is": garbage(&mut random, 2)}, {"at": garbage(&mut random, 4)}]);
                    let annotation = format!("example.com/conversion-v{}", to + 1);
                    object["metadata"] = json!({"annotations": {annotation: kept.to_string()}});
                }
                let version = format!("v{}", to + 1);
                let converted = conversion.convert_json(object.clone(), &version);
                let mut converted =
                    converted.unwrap_or_else(|error| panic!("seed {seed}: {error}: {object}"));
                if from == to {
                    assert_eq!(converted, object);
                    continue;
                }
                assert!(converted["metadata"].is_object());
                for name in ["apiVersion", "kind", "metadata"] {
                    converted.as_object_mut().unwrap().remove(name);
                }
                let schema = Schema::read(&schemas[to]).unwrap();
                let unknown = unknown_fields(&schema, &converted);
                assert!(
                    unknown.is_empty(),
                    "seed {seed}: {unknown:?} in {converted} from {object}"
                );
            }
        }
    });
}
