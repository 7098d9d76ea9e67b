//! `Validate` beside a real API server: random objects are sent as dry runs, and the answers must have the same words. They
//! count as ignored if a control plane is not available; `KGEN_E2E=required` makes that a failure.

// The tests use our own harness, so clippy does not recognize them as test code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod kind;

use std::process::ExitCode;

use fastrand::Rng;
use kgen_runtime::validate::Validate;
use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};
use kube::api::{ApiResource, DynamicObject, PostParams};
use kube::{Api, CustomResourceExt};
use serde_json::{Value, json};

use crate::kind::{Ferry, ferry};

/// How many objects are compared.
const OBJECTS: usize = 1_500;

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder())
        .test(
            "the_api_server_has_the_same_words",
            the_api_server_has_the_same_words,
        )
        .run()
}

async fn the_api_server_has_the_same_words() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let definition = serde_json::to_string(&Ferry::crd())?;
    control_plane.install_crds(definition).await?;
    let client = control_plane.client().await?;
    let resource = ApiResource::erase::<Ferry>(&());
    let ferries: Api<DynamicObject> = Api::default_namespaced_with(client, &resource);
    let trial = PostParams {
        dry_run: true,
        ..PostParams::default()
    };
    let mut rng = Rng::with_seed(18);
    let (mut valid, mut errors) = (0, 0);
    let mut differences = Vec::new();
    for _ in 0..OBJECTS {
        let mut object = ferry();
        for _ in 0..rng.usize(0..4) {
            change(&mut object, &mut rng);
        }
        let mut theirs = match ferries
            .create(&trial, &serde_json::from_value(object.clone())?)
            .await
        {
            Ok(_) => Vec::new(),
            Err(kube::Error::Api(status)) => causes(&status),
            Err(error) => return Err(error.into()),
        };
        let mut ours: Vec<String> = match Ferry(object.clone()).validate() {
            Ok(()) => Vec::new(),
            Err(invalid) => invalid.errors().iter().map(ToString::to_string).collect(),
        };
        errors += ours.len();
        // Go visits the fields of an object in any order.
        theirs.sort();
        ours.sort();
        valid += usize::from(theirs.is_empty());
        if ours != theirs {
            differences.push(format!("{object}\n  theirs: {theirs:?}\n  ours:   {ours:?}"));
        }
    }
    let line = format!("{OBJECTS} objects, {valid} of them valid, {errors} errors\n");
    std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes())?;
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(valid > OBJECTS / 10 && valid < OBJECTS * 9 / 10, "{valid}");
    control_plane.stop().await?;
    Ok(())
}

/// Returns the errors of the API server, each with its field.
fn causes(status: &kube::core::Status) -> Vec<String> {
    let causes = status.details.iter().flat_map(|details| &details.causes);
    let errors = causes.map(|cause| format!("{}: {}", cause.field, cause.message));
    errors.collect()
}

/// Changes or removes one field of the spec, at any depth.
fn change(object: &mut Value, rng: &mut Rng) {
    let mut paths = Vec::new();
    collect(&object["spec"], "/spec", &mut paths);
    let path = &paths[rng.usize(0..paths.len())];
    if rng.u8(0..5) == 0
        && let Some((parent, name)) = path.rsplit_once('/')
        && let Some(Value::Object(entries)) = object.pointer_mut(parent)
    {
        entries.remove(name);
        return;
    }
    if let Some(value) = object.pointer_mut(path) {
        *value = any_value(rng);
    }
}

fn collect(value: &Value, path: &str, paths: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            for (name, entry) in entries {
                let path = format!("{path}/{name}");
                paths.push(path.clone());
                collect(entry, &path, paths);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}/{index}");
                paths.push(path.clone());
                collect(item, &path, paths);
            }
        }
        _ => {}
    }
}

/// Returns values at the bounds of some field, or of another type.
fn any_value(rng: &mut Rng) -> Value {
    let values = json!([
        null, true, 0, 1, -1, 3, 7, 10, 11, 100, 2_147_483_648_i64, 1.5, "", "a", "north", "Fast", "fast", "b-1", "Not A Name",
        "2026-01-01T00:00:00Z", "yesterday", "1h", "10", "50%", "ä", "0123456789abcdef", [], ["a"], ["a", "a"], ["a", "b", "c", "d"],
        [1, "b"], {}, {"a": "b"}, {"name": "x"}, [{"name": "x", "number": 1}], [{"name": "x", "number": 0}, {"name": "x", "number": 2}],
        {"a": 1, "b": 2, "c": 3, "d": 4}, {"name": "x", "number": 70000},
    ]);
    let values = values.as_array().unwrap();
    values[rng.usize(0..values.len())].clone()
}
