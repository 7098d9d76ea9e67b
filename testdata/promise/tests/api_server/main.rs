//! The real API server agrees with kgen about the objects of random types: it accepts and refuses the same ones, stores
//! the same values, and the types can read these.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "the harness is our own, so clippy does not see that all of this is test code"
)]

#[path = "../schemas/mod.rs"]
mod schemas;

use std::process::ExitCode;

use futures::StreamExt as _;
use kgen_model::Schema;
use kgen_testenv::ControlPlane;
use kgen_testenv::suite::{Outcome, Suite};
use promise_types::Kind;
use promise_types::kinds::KINDS;
use schemas::Admission;
use schemas::objects::{Objects, is_in_known_gap};
use serde_json::{Value, json};

/// How many kinds are installed, how many objects of each are offered, and how many at a time.
const INSTALLED: usize = 60;
const OBJECTS: usize = 60;
const AT_ONCE: usize = 32;

fn main() -> ExitCode {
    Suite::new(ControlPlane::builder())
        .test("the_api_server_agrees", the_api_server_agrees)
        .run()
}

async fn the_api_server_agrees() -> Outcome {
    let read = schemas::of_all();
    let kinds: Vec<(&Kind, &Schema)> = KINDS
        .iter()
        .filter_map(|kind| Some((kind, read.accepted.get(kind.name)?.as_ref())))
        .take(INSTALLED)
        .collect();
    let control_plane = ControlPlane::start().await?;
    let folder = read.package.path();
    // The API server takes its time for each CRD, so only some are installed.
    let installed = folder.join("installed");
    std::fs::create_dir(&installed)?;
    for (kind, _) in &kinds {
        let name = format!("promise.example.org_{}.yaml", plural(kind));
        std::fs::copy(folder.join("crd").join(&name), installed.join(&name))?;
    }
    assert_eq!(
        control_plane.install_crds(installed.as_path()).await?.len(),
        kinds.len()
    );

    let client = control_plane.client().await?;
    let mut offered = Vec::new();
    for (kind, schema) in &kinds {
        offered.extend(
            objects(kind, schema)
                .into_iter()
                .map(|value| (*kind, *schema, value)),
        );
    }
    let count = offered.len();
    let verdicts = futures::stream::iter(offered).map(|(kind, schema, value)| {
        let client = client.clone();
        async move {
            let verdict = create(&client, kind, &value).await;
            (kind, schema, value, verdict)
        }
    });
    let verdicts: Vec<_> = verdicts.buffer_unordered(AT_ONCE).collect().await;
    let mut accepted = 0;
    let mut differences = Vec::new();
    for (kind, schema, value, verdict) in verdicts {
        accepted += usize::from(verdict.is_ok());
        if let Err(difference) = compare(&read.admission, kind, schema, &value, verdict) {
            differences.push(format!("{}: {difference}\n{value}\n", kind.name));
        }
    }
    differences.sort();
    eprintln!(
        "{count} objects of {} types offered, {accepted} accepted",
        kinds.len()
    );
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
    control_plane.stop().await?;
    Ok(())
}

/// Values that the type writes, and others.
fn objects(kind: &Kind, schema: &Schema) -> Vec<Value> {
    let mut rng = fastrand::Rng::with_seed(1);
    // serde refuses some values, such as a flattened `Value` that is not an object: the test `promise` knows them.
    let mut values: Vec<Value> = (0..OBJECTS / 2)
        .filter_map(|_| (kind.write)(&mut rng).ok())
        .collect();
    let mut objects = Objects::new(&mut rng, &values);
    let others: Vec<Value> = (0..OBJECTS / 2).map(|_| objects.next(schema)).collect();
    values.extend(others);
    values
}

/// Creates an object without storing it. Returns the spec that would be stored.
async fn create(client: &kube::Client, kind: &Kind, spec: &Value) -> Result<Value, String> {
    let plural = plural(kind);
    let path = format!("/apis/promise.example.org/v1/namespaces/default/{plural}?dryRun=All");
    let object = json!({
        "apiVersion": "promise.example.org/v1",
        "kind": kind.name.to_uppercase(),
        "metadata": { "name": "object" },
        "spec": spec,
    });
    let request = http::Request::post(path)
        .header("content-type", "application/json")
        .body(object.to_string().into_bytes())
        .map_err(|error| error.to_string())?;
    let mut stored: Value = client.request(request).await.map_err(|error| error.to_string())?;
    Ok(stored.get_mut("spec").map(Value::take).unwrap_or_default())
}

fn plural(kind: &Kind) -> String {
    format!("{}s", kind.name)
}

/// Compares two values. Numbers may differ in their last digit, which serde_json does not always read exactly.
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let (left, right) = (left.as_f64().unwrap_or(0.0), right.as_f64().unwrap_or(0.0));
            (left - right).abs() <= left.abs() * 1e-15
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let is_there =
                |(name, left): (&String, &Value)| right.get(name).is_some_and(|right| is_same(left, right));
            left.len() == right.len() && left.iter().all(is_there)
        }
        _ => left == right,
    }
}

/// Compares the verdict of the server with that of kgen, and reads the value that the server stores.
fn compare(
    admission: &Admission,
    kind: &Kind,
    schema: &Schema,
    value: &Value,
    verdict: Result<Value, String>,
) -> Result<(), String> {
    match (verdict, admission.admit(kind.name, value)) {
        (Ok(stored), Ok(expected)) => {
            if !is_same(&stored, &expected) {
                return Err(format!("the server stores {stored}, and kgen expects {expected}"));
            }
            if is_in_known_gap(schema, &stored) {
                return Ok(());
            }
            (kind.read)(&stored)
                .map(|_| ())
                .map_err(|error| format!("the type cannot read {stored}: {error}"))
        }
        (Err(_), Err(_)) => Ok(()),
        (Ok(stored), Err(reason)) => Err(format!(
            "kgen refuses what the server accepts: {reason}, {stored}"
        )),
        (Err(reason), Ok(_)) => Err(format!("kgen accepts what the server refuses: {reason}")),
    }
}
