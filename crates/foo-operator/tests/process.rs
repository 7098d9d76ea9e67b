//! The program itself: flags, logs, probes, the lease, and its end, against the fake behind a real port.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use foo_operator::api::v1::Foo;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::Event;
use kgen_fake::{Cluster, Verb};
use serde_json::{Value, json};
use support::objects::foo;

/// Serves Foos on a free port, to the program of this kubeconfig.
async fn serve(kubeconfig: &Path) -> Cluster {
    let cluster = Cluster::new().kind::<Foo>().start();
    // The lease is in the namespace of the operator.
    cluster.put(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "foo-system" } }));
    let served = cluster.serve().await.unwrap();
    write_kubeconfig(kubeconfig, served.port());
    cluster
}

/// Waits until `holds`.
async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = std::time::Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(std::time::Instant::now() < deadline, "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn write_kubeconfig(path: &Path, port: u16) {
    let kubeconfig = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{ "name": "memory", "cluster": { "server": format!("http://127.0.0.1:{port}") } }],
        "users": [{ "name": "operator", "user": {} }],
        "contexts": [
            { "name": "here", "context": { "cluster": "memory", "user": "operator", "namespace": "foo-system" } },
            { "name": "elsewhere", "context": { "cluster": "gone", "user": "operator" } },
        ],
        "current-context": "elsewhere",
    });
    std::fs::write(path, kubeconfig.to_string()).unwrap();
}

/// The program while it runs; dropping it kills it.
struct Program {
    child: Child,
    log: BufReader<ChildStderr>,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_foo-operator"))
            .args(arguments)
            .env_remove("RUST_LOG")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        Self { child, log }
    }

    /// Returns the fields of the next line with `message`. Every line is JSON, because the output is not a terminal.
    fn until(&mut self, message: &str) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(
                self.log.read_line(&mut line).unwrap(),
                0,
                "it ended before {message:?}"
            );
            let line: Value = serde_json::from_str(&line).unwrap();
            if line["fields"]["message"] == message {
                return line["fields"].clone();
            }
        }
    }

    fn signal(&self) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn case_27_a_signal_ends_the_program_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    let cluster = serve(&kubeconfig).await;
    cluster.put(&foo("a", "web", Some(1)));

    let mut program = Program::start(&[
        "--kubeconfig",
        kubeconfig.to_str().unwrap(),
        "--context=here",
        "--leader-elect",
        "--metrics-addr=127.0.0.1:0",
        "--probe-addr=127.0.0.1:0",
    ]);
    let probes = program.until("serving probes")["address"].clone();
    let probes = probes.as_str().unwrap();
    let metrics = program.until("serving metrics")["address"].clone();
    let metrics = metrics.as_str().unwrap();
    program.until("became leader");
    let has_status = |name: &str| {
        let foo = cluster.get::<Foo>("default", name);
        foo.is_some_and(|foo| foo.status.is_some())
    };
    until("the status is written", || has_status("a")).await;
    assert!(get(probes, "/readyz?verbose").contains("[+]caches ok"));
    assert!(get(probes, "/healthz?verbose").contains("[+]leaderElection ok"));
    let metrics = get(metrics, "/metrics");
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
    let cluster = serve(&kubeconfig).await;
    cluster.put(&foo("a", "web", Some(1)));
    let mut held = cluster.faults().on(Verb::Create, "deployments").hold();
    let mut program = Program::start(&["--kubeconfig", kubeconfig.to_str().unwrap(), "--context=here"]);
    held.arrived().await;
    program.signal();
    program.until("draining the queue");
    program.signal();
    assert_eq!(program.child.wait().unwrap().code(), Some(1));
}

#[test]
fn the_definition_is_printed_as_it_was_generated() {
    let output = Command::new(env!("CARGO_BIN_EXE_foo-operator"))
        .arg("crd")
        .output()
        .unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, include_str!("../config/crd/example.com_foos.yaml"));
}

#[test]
fn what_is_wrong_with_the_kubeconfig_is_said() {
    let mut program = Program::start(&["--kubeconfig=/nowhere/kubeconfig"]);
    let mut log = String::new();
    program.log.read_to_string(&mut log).unwrap();
    assert!(log.contains("cannot read `/nowhere/kubeconfig`"), "{log}");
    assert_eq!(program.child.wait().unwrap().code(), Some(1));
}
