//! Every known gap of the promise is one: either the type writes what the schema refuses, or the schema accepts what the type
//! cannot read. A gap that was closed fails here, and its line in the book goes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[path = "../schemas/admission.rs"]
mod admission;
#[allow(
    missing_docs,
    dead_code,
    reason = "kgen reads the kinds, and the tests use their specs"
)]
mod types;

use std::collections::BTreeSet;
use std::path::Path;

use admission::Admission;
use k8s_openapi::ByteString;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What one side does and the other one does not take.
enum Proof {
    /// The type writes this spec, which the schema refuses.
    Written(Value),
    /// The schema accepts this spec, which the type cannot read.
    Accepted(Value, fn(&Value) -> Result<(), String>),
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<(), String> {
    let read: Result<T, _> = serde_json::from_str(&value.to_string());
    read.map(drop).map_err(|error| error.to_string())
}

fn written(value: impl serde::Serialize) -> Proof {
    Proof::Written(serde_json::from_str(&serde_json::to_string(&value).unwrap()).unwrap())
}

fn accepted<T: DeserializeOwned>(value: Value) -> Proof {
    Proof::Accepted(value, read::<T>)
}

/// The first column of the table in the book, the kind, and the proofs.
fn gaps() -> Vec<(&'static str, &'static str, Vec<Proof>)> {
    let condition = json!({
        "type": "Ready",
        "status": "True",
        "reason": "",
        "message": "",
        "lastTransitionTime": "2024-01-01T00:00:00Z",
    });
    vec![
        (
            "`u64` and `usize` above `i64::MAX`",
            "large",
            vec![written(types::LargeSpec { value: u64::MAX })],
        ),
        (
            "`f32` and `f64` that are infinite or not a number",
            "infinite",
            vec![
                written(types::InfiniteSpec { value: f64::INFINITY }),
                written(types::InfiniteSpec { value: f64::NAN }),
            ],
        ),
        (
            "the integer in `IntOrString`",
            "port",
            vec![accepted::<types::PortSpec>(json!({ "value": 3_000_000_000_u64 }))],
        ),
        (
            "`Quantity::default()`",
            "amount",
            vec![written(types::AmountSpec {
                value: Quantity::default(),
            })],
        ),
        (
            "`Condition` and other types of Kubernetes with their own checks",
            "checked",
            vec![written(types::CheckedSpec {
                value: serde_json::from_value(condition).unwrap(),
            })],
        ),
        (
            "an empty `ByteString`, and base64 with spare bits",
            "bytes",
            vec![
                written(types::BytesSpec {
                    value: ByteString(Vec::new()),
                }),
                accepted::<types::BytesSpec>(json!({ "value": "AB==" })),
            ],
        ),
        (
            "null in a required `JSON` of Kubernetes",
            "anything",
            vec![written(types::AnythingSpec {
                value: serde_json::from_value(Value::Null).unwrap(),
            })],
        ),
        (
            "strings with a format, such as `Time`",
            "moment",
            vec![accepted::<types::MomentSpec>(json!({ "value": [] }))],
        ),
        (
            "the syntax of `kube::core::Duration`, `jiff::Span`, `jiff::Zoned`, and of strings of chrono, semver and others",
            "syntax",
            vec![
                accepted::<types::SyntaxSpec>(json!({ "duration": "soon" })),
                accepted::<types::SyntaxSpec>(json!({ "span": "soon" })),
                accepted::<types::SyntaxSpec>(json!({ "time": "soon" })),
            ],
        ),
        (
            "years before 0000 and after 9999",
            "year",
            vec![
                written(types::YearSpec {
                    value: chrono::NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap(),
                }),
                written(types::YearSpec {
                    value: chrono::NaiveDate::from_ymd_opt(-1, 1, 1).unwrap(),
                }),
            ],
        ),
        (
            "keys of maps that are enums",
            "keys",
            vec![accepted::<types::KeysSpec>(json!({ "value": { "Two": 2 } }))],
        ),
        (
            "a map that is flattened among other fields",
            "flat",
            vec![accepted::<types::FlatSpec>(
                json!({ "value": 1, "other": "text" }),
            )],
        ),
        (
            "structs of Kubernetes without fields",
            "empty",
            vec![written(types::EmptySpec {
                value: serde_json::from_value(json!("text")).unwrap(),
            })],
        ),
    ]
}

#[test]
fn every_known_gap_is_one() {
    let folder = tempfile::tempdir().unwrap();
    admission::write_package(folder.path(), [("types", include_str!("types.rs"))].into_iter());
    let admission = Admission::of_package(folder.path());
    for (topic, kind, proofs) in gaps() {
        for proof in proofs {
            match proof {
                Proof::Written(spec) => {
                    let stored = admission.admit(kind, &spec);
                    assert!(stored.is_err(), "{topic}: the schema accepts {spec}");
                }
                Proof::Accepted(spec, read) => {
                    let stored = admission.admit(kind, &spec);
                    let stored = stored.unwrap_or_else(|error| panic!("{topic}: {error}"));
                    assert!(read(&stored).is_err(), "{topic}: the type reads {spec}");
                }
            }
        }
    }
}

#[test]
fn every_line_of_the_book_is_proven() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/deviations.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once("## Known gaps of the promise").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
    let topics: BTreeSet<&str> = rows
        .filter_map(|row| row.split(" | ").next())
        .filter(|topic| *topic != "topic")
        .collect();
    let proven: BTreeSet<&str> = gaps().iter().map(|(topic, ..)| *topic).collect();
    assert_eq!(topics, proven);
}
