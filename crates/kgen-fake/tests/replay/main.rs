//! Replays recorded requests and compares the answers with those of a real API server.
//!
//! The cases of `testdata/conformance/fake` and of `testdata/cases` in this crate are sequences of requests with answers; the
//! README of the first folder describes the format. They run through the service, without a port.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod normal;
mod run;
mod steps;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of the cases that belong to the format.
fn given() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/conformance/fake/cases")
}

/// The folder of the cases of this crate.
fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases")
}

fn cases(folders: &[PathBuf]) -> Vec<Value> {
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(folder).unwrap() {
            files.push(entry.unwrap().path());
        }
    }
    files.sort();
    files
        .iter()
        .map(|file| serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
        .collect()
}

fn tier(case: &Value) -> u64 {
    case["tier"].as_u64().unwrap_or(1)
}

/// Runs the cases of some tiers in some folders. Returns the differences and the number of answers.
async fn differences(folders: &[PathBuf], is_wanted: impl Fn(u64) -> bool) -> (Vec<String>, usize) {
    let mut different = Vec::new();
    let mut count = 0;
    for case in cases(folders).iter().filter(|case| is_wanted(tier(case))) {
        let answers = run::answers(case).await;
        let steps = case["steps"].as_array().unwrap();
        assert_eq!(answers.len(), steps.len());
        for (position, (step, answer)) in steps.iter().zip(&answers).enumerate() {
            count += 1;
            let (expected, found) = (
                steps::reduced(step, &step["answer"]),
                steps::reduced(step, answer),
            );
            if expected != found {
                different.push(format!(
                    "{} step {position}: {}\n expected {expected}\n    found {found}",
                    case["name"],
                    step.get("request").or_else(|| step.get("open")).unwrap_or(step)
                ));
            }
        }
    }
    (different, count)
}

#[tokio::test(start_paused = true)]
async fn tiers_1_and_2_are_complete() {
    let (different, count) = differences(&[given(), own()], |tier| tier < 3).await;
    assert!(
        different.is_empty(),
        "{} of {count} answers differ\n{}",
        different.len(),
        different.join("\n")
    );
    assert!(count > 400, "only {count} answers were compared");
}

#[tokio::test(start_paused = true)]
async fn tier_3_is_counted() {
    let (mut different, mut count) = differences(&[given()], |tier| tier >= 3).await;
    // What this crate recorded itself may not get worse.
    let (own_different, own_count) = differences(&[own()], |tier| tier >= 3).await;
    let own_text = own_different.join("\n");
    different.extend(own_different);
    count += own_count;
    // Not `eprintln!`, which the test harness shows only for failed tests.
    let mut out = std::io::stderr().lock();
    writeln!(out, "fake: {}/{count}", count - different.len()).unwrap();
    for difference in &different {
        writeln!(out, "{difference}").unwrap();
    }
    assert!(own_text.is_empty(), "recorded answers of tier 3 differ");
    assert!(
        own_count > 700,
        "only {own_count} answers of tier 3 were compared"
    );
}
