//! Random structural schemas are imported, go through `kgen crd`, and must come out equal.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "these tests need only some of it")]
mod support;

#[path = "../support/random.rs"]
mod random;

use fastrand::Rng;
use kgen_import::Options;
use support::{compare, generate, import, shown, write};

/// How many CRDs are tried, each with its number as the seed.
const TRIES: u64 = 400;

#[test]
fn random_schemas_come_out_equal() {
    let mut failures = Vec::new();
    for seed in 0..TRIES {
        let original = random::crd(&mut Rng::with_seed(seed), seed);
        let imported = import("random", &original.to_string(), &Options::default());
        assert!(
            !imported.outcome.problems.has_errors(),
            "{seed}: {}",
            shown(&imported.outcome.problems, &imported.files)
        );
        let folder = tempfile::tempdir().unwrap();
        write(&imported.outcome, folder.path());
        match generate(folder.path()) {
            Ok(generated) => {
                let mut found = Vec::new();
                compare(&original, &generated[0], &imported.outcome, &mut found);
                if !found.is_empty() {
                    failures.push(format!("{seed}: {}", found.join("\n")));
                }
            }
            Err(problems) => failures.push(format!("{seed}: {problems}")),
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
