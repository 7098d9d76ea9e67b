//! The generated role: the operator needs every rule, and no other.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::path::Path;
use std::time::Duration;

use foo_operator::api::v1::Foo;
use foo_operator::controller::{Controller, NAME};
use foo_operator::generated::Clientset;
use k8s_openapi::api::apps::v1::Deployment;
use kgen_fake::Cluster;
use kgen_runtime::election::Elector;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::recorder::Recorder;
use serde_json::json;
use support::objects::{deployment_of, foo, orphaned};
use tokio_util::sync::CancellationToken;

// ANCHOR: role
#[tokio::test(start_paused = true)]
async fn the_operator_needs_every_rule_of_its_role_and_no_other() {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("config");
    let cluster = Cluster::new()
        .definitions(config.join("crd"))
        .role(config.join("rbac/role.yaml"))
        .object(json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "foo-system" } }))
        .start();
    let stop = CancellationToken::new();
    let operator = tokio::spawn(operate(cluster.clone(), stop.clone()));

    // A Foo is created, scaled and renamed; another one asks for a Deployment that is not its own.
    let mut example = foo("example", "web", Some(1));
    cluster.put(&example);
    cluster.put(&orphaned(deployment_of(&foo("greedy", "taken", Some(1)))));
    cluster.put(&foo("greedy", "taken", Some(1)));
    cluster.advance(Duration::from_secs(60)).await;
    example.spec.replicas = Some(2);
    cluster.put(&example);
    cluster.advance(Duration::from_secs(60)).await;
    example.spec.deployment_name = "renamed".to_owned();
    cluster.put(&example);
    cluster.advance(Duration::from_secs(60)).await;
    assert!(cluster.get::<Deployment>("default", "renamed").is_some());
    assert!(cluster.get::<Foo>("default", "example").unwrap().status.is_some());

    stop.cancel();
    operator.await.unwrap();
    cluster.access().require_exact();
}
// ANCHOR_END: role

/// Runs the controller as the leader, like the program.
async fn operate(cluster: Cluster, stop: CancellationToken) {
    let (recorder, writer) = Recorder::builder(cluster.client(), NAME).start();
    let clients = Clientset::new(cluster.client());
    let controller = Controller::new(clients, &[], recorder.clone(), &Metrics::default());
    let elector = Elector::builder(cluster.client(), "foo-system", NAME)
        .build()
        .unwrap();
    let work = async |ending| controller.run(1, ending).await;
    elector.lead(stop.cancelled(), work).await;
    assert!(writer.shutdown(Duration::from_secs(10)).await);
}
