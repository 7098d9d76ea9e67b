//! The program itself: flags, logs, probes, the lease, and its end, against the fake behind a real port.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod attacks;
mod program;
#[path = "../support/mod.rs"]
mod support;

use std::io::Read;
use std::process::Command;

use foo_operator::api::v1::Foo;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::Event;
use kgen_fake::{Cluster, Verb};
use kube::CustomResourceExt;
use program::{Program, get, serve, until};
use serde_json::json;
use support::objects::foo;

#[tokio::test(flavor = "multi_thread")]
async fn case_27_a_signal_ends_the_program_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    let cluster = serve(Cluster::new().kind::<Foo>(), &kubeconfig).await;
    cluster.put(&foo("a", "web", Some(1)));

    let mut program = Program::start(&[
        "--kubeconfig",
        kubeconfig.to_str().unwrap(),
        "--context=here",
        "--leader-elect",
        "--metrics-addr=127.0.0.1:0",
        "--probe-addr=127.0.0.1:0",
    ]);
    let probes = program.address("serving probes");
    let metrics = program.address("serving metrics");
    program.until("became leader");
    let has_status = |name: &str| {
        let foo = cluster.get::<Foo>("default", name);
        foo.is_some_and(|foo| foo.status.is_some())
    };
    until("the status is written", || has_status("a")).await;
    assert!(get(&probes, "/readyz?verbose").contains("[+]caches ok"));
    assert!(get(&probes, "/healthz?verbose").contains("[+]leaderElection ok"));
    let metrics = get(&metrics, "/metrics");
    assert!(
        metrics.contains("workqueue_adds_total{name=\"Foos\","),
        "{metrics}"
    );
    assert!(
        metrics.contains("leader_election_master_status{name=\"foo-operator\"} 1"),
        "{metrics}"
    );

    // The end waits for the write that is on its way, and then gives the lease back.
    let mut held = cluster.faults().on(Verb::Patch, "foos/status").named("b").hold();
    cluster.put(&foo("b", "late", Some(1)));
    held.arrived().await;
    program.signal();
    program.until("draining the queue");
    held.release();
    program.until("workers have ended");
    program.until("stopped leading");
    assert!(program.child.wait().unwrap().success());
    assert_eq!(cluster.list::<Deployment>().len(), 2);
    assert!(has_status("b"));
    let lease = cluster.list::<Lease>()[0].clone();
    assert_eq!(lease.metadata.namespace.as_deref(), Some("foo-system"));
    let holder = lease
        .spec
        .as_ref()
        .and_then(|spec| spec.holder_identity.as_deref());
    assert!(holder.is_none_or(str::is_empty), "{holder:?}");
    let events = cluster.list::<Event>();
    let told = |text: &str| {
        let mut messages = events.iter().filter_map(|event| event.message.as_deref());
        messages.any(|message| message.ends_with(text))
    };
    assert!(
        told("Foo synced successfully") && told("stopped leading"),
        "{events:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_27_the_second_signal_does_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    let cluster = serve(Cluster::new().kind::<Foo>(), &kubeconfig).await;
    cluster.put(&foo("a", "web", Some(1)));
    let mut held = cluster.faults().on(Verb::Create, "deployments").hold();
    let mut program = Program::start(&["--kubeconfig", kubeconfig.to_str().unwrap(), "--context=here"]);
    held.arrived().await;
    program.signal();
    program.until("draining the queue");
    program.signal();
    assert_eq!(program.child.wait().unwrap().code(), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_that_cannot_be_read_are_listed_by_the_readiness_probe() {
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    // A definition that does not say what a Foo is, as after a mistake in an upgrade.
    let mut definition = serde_json::to_value(Foo::crd()).unwrap();
    for version in definition["spec"]["versions"].as_array_mut().unwrap() {
        let anything = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        version["schema"] = json!({ "openAPIV3Schema": anything });
    }
    let cluster = serve(Cluster::new().definition(definition), &kubeconfig).await;
    cluster.put(&json!({
        "apiVersion": "example.com/v1", "kind": "Foo", "metadata": { "name": "odd", "namespace": "default" },
        "spec": { "deploymentName": 7 },
    }));
    let mut program = Program::start(&[
        "--kubeconfig",
        kubeconfig.to_str().unwrap(),
        "--context=here",
        "--probe-addr=127.0.0.1:0",
    ]);
    let probes = program.address("serving probes");
    let mut answer = String::new();
    until("the caches have synced", || {
        answer = get(&probes, "/readyz?verbose");
        answer.contains("[+]caches ok")
    })
    .await;
    let line = "cannot read default/odd: spec.deploymentName: invalid type: integer, expected a string";
    assert!(answer.contains(line), "{answer}");
}

#[test]
fn the_definition_is_printed_as_it_was_generated() {
    let output = Command::new(env!("CARGO_BIN_EXE_foo-operator"))
        .arg("crd")
        .output()
        .unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, include_str!("../../config/crd/example.com_foos.yaml"));
}

#[test]
fn what_is_wrong_with_the_kubeconfig_is_said() {
    let mut program = Program::start(&["--kubeconfig=/nowhere/kubeconfig"]);
    let mut log = String::new();
    program.log.read_to_string(&mut log).unwrap();
    assert!(log.contains("cannot read `/nowhere/kubeconfig`"), "{log}");
    assert_eq!(program.child.wait().unwrap().code(), Some(1));
}
