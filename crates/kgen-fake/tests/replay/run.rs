//! Replays a case on a cluster of its own.

use std::path::Path;

use kgen_fake::Cluster;
use serde_json::{Value, json};

use crate::normal::Normal;
use crate::steps;

/// Returns the normalized answers to all steps.
pub async fn answers(case: &Value) -> Vec<Value> {
    let definitions =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/conformance/fake/definitions");
    let mut builder = Cluster::new().lenient();
    for name in case["definitions"].as_array().into_iter().flatten() {
        let file = definitions.join(format!("{}.json", name.as_str().unwrap()));
        builder = builder.definitions(file);
    }
    let cluster = builder.start();
    if let Some(namespace) = case["namespace"].as_str() {
        cluster.put(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}));
    }
    let normal = Normal::new(
        case["managedFields"] == true,
        "2026-01-01T00:00:00Z".parse().unwrap(),
    );
    steps::answers(case, &cluster.admin(), normal).await
}
