//! The promise, in both directions: JSON that the schema accepts can be read by the Rust type, and what the type writes
//! is accepted by the schema.
//!
//! `types.rs` is compiled here and described by kgen. Values are made at random from the schema, some of them spoilt.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod schema;
#[expect(dead_code, reason = "fields are only written to JSON, by derived code")]
mod types;

use std::fs;
use std::sync::Arc;

use kgen_frontend::{FeatureChoice, Input, Options, read};
use kgen_model::Schema;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use serde_json::Value;

const KIND: &str = "
#[derive(Clone, Debug)]
pub struct Sample {
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    pub spec: Root,
}
";

/// What kgen makes of `types.rs`.
fn described() -> Schema {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("//! +groupName=example.com\n{}\n{KIND}", include_str!("types.rs"));
    fs::write(folder.path().join("v1.rs"), text).unwrap();
    let outcome = read(&Input {
        working_folder: folder.path().to_owned(),
        paths: Vec::new(),
        features: FeatureChoice::default(),
        kinds: true,
        options: Options::default(),
        foreign_markers: Default::default(),
        unsaved: Default::default(),
        cargo_home: None,
        deprecations: false,
    });
    let renderer = kgen_diagnostics::Renderer::default();
    assert!(
        outcome.problems.is_empty(),
        "{}",
        renderer.render_all(&outcome.problems, &outcome.files)
    );
    Schema::clone(&outcome.api.resources[0].versions[0].schema.properties["spec"])
}

fn run(check: impl Fn(&Schema, Value) -> Result<(), TestCaseError>) {
    let root = Arc::new(described());
    let mut runner = TestRunner::new(Config {
        cases: 2000,
        failure_persistence: None,
        max_shrink_iters: 0,
        ..Config::default()
    });
    let made = |seed| check(&root, schema::value(&root, &mut schema::Choices::new(seed)));
    if let Err(TestError::Fail(reason, _)) = runner.run(&any::<u64>(), made) {
        panic!("{reason}");
    }
}

#[test]
fn what_the_schema_accepts_can_be_read() {
    let counter = std::cell::Cell::new(0_u32);
    run(|root, value| {
        if schema::accepts(root, &value).is_ok() {
            counter.set(counter.get() + 1);
            let read: Result<types::Root, _> = serde_json::from_value(value.clone());
            if let Err(error) = read {
                return Err(TestCaseError::fail(format!("{error}\n{value:#}")));
            }
        }
        Ok(())
    });
    let accepted = counter.get();
    assert!(
        accepted > 500,
        "only {accepted} of 2000 values were accepted: the test says too little"
    );
}

#[test]
fn what_the_type_writes_is_accepted() {
    let counter = std::cell::Cell::new(0_u32);
    run(|root, value| {
        let Ok(read) = serde_json::from_value::<types::Root>(value) else {
            return Ok(());
        };
        counter.set(counter.get() + 1);
        let mut written = serde_json::to_value(&read).unwrap();
        // The API server drops nulls that a schema does not allow before it looks at anything else.
        schema::prune_nulls(root, &mut written);
        schema::accepts(root, &written)
            .map_err(|reason| TestCaseError::fail(format!("{reason}\n{written:#}")))
    });
    assert!(
        counter.get() > 500,
        "only {} of 2000 values could be read: the test says too little",
        counter.get()
    );
}
