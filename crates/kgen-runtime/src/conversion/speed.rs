//! Measures reviews next to serde_json, which parses and prints the same bytes.
//!
//! `cargo xtask bench --conversion` runs it in a release build and compares it with controller-runtime.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on should stop")]

#[path = "../../benches/widget/mod.rs"]
mod widget;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::Value;

use self::widget::{conversion, metadata, object, review};
use super::review::Conversions;
use super::{Change, Conversion, Variants};

/// Returns the processor time of this thread in microseconds, or the time on the clock where the system does not tell.
fn now(start: Instant) -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics
        .split(' ')
        .next()
        .and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64() * 1e6, |time| time / 1e3)
}

/// Returns the mean processor time of one call in the fastest of some rounds: other work on the machine only makes it longer.
fn shortest(calls: u32, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let rounds = (0..10).map(|_| {
        let before = now(start);
        (0..calls).for_each(|_| work());
        (now(start) - before) / f64::from(calls)
    });
    rounds.fold(f64::MAX, f64::min)
}

/// Writes a review to the folder that `KGEN_REVIEWS` names, for controller-runtime.
fn hand_over(name: &str, body: &[u8]) {
    if let Some(folder) = std::env::var_os("KGEN_REVIEWS") {
        std::fs::write(PathBuf::from(folder).join(name), body).unwrap();
    }
}

#[test]
#[ignore = "a measurement, for a release build"]
fn reviews_next_to_serde_json() {
    let conversions = Conversions::new(vec![conversion()]).unwrap();
    for (managed, count, calls) in [(true, 1, 5_000), (false, 1, 5_000), (true, 1_000, 5)] {
        let with_metadata = |mut object: Value| {
            let annotations = object["metadata"]["annotations"].take();
            object["metadata"] = metadata();
            if !annotations.is_null() {
                object["metadata"]["annotations"] = annotations;
            }
            if !managed {
                object["metadata"]["managedFields"].take();
            }
            object
        };
        let forward = review("example.com/v2", &vec![with_metadata(object()); count]);
        let answer: Value = serde_json::from_slice(&conversions.answer(&forward).unwrap()).unwrap();
        let objects = answer["response"]["convertedObjects"].as_array().unwrap();
        let objects: Vec<Value> = objects.iter().cloned().map(with_metadata).collect();
        let backward = review("example.com/v1", &objects);
        for (name, body) in [("up", forward), ("down", backward)] {
            let serde = shortest(calls, || {
                let json: Value = serde_json::from_slice(&body).unwrap();
                black_box(serde_json::to_vec(&json).unwrap());
            });
            let ours = shortest(calls, || drop(black_box(conversions.answer(&body).unwrap())));
            let name = match managed {
                true => format!("{name}-{count}"),
                false => format!("{name}-{count}-without-managed-fields"),
            };
            println!("review {name} {} {ours:.2} {serde:.2}", body.len());
            hand_over(&format!("{name}.json"), &body);
        }
    }
}
