//! The program itself: flags, logs, probes, the lease, and its end, against the API server in memory behind a real port.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::convert::Infallible;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use support::objects::foo;
use support::server::Server;
use tokio::net::TcpListener;

/// Serves `server` on a free port of this machine.
async fn listen(server: &Server) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = server.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let server = server.clone();
            let answer = service_fn(move |request| {
                let server = server.clone();
                async move { Ok::<_, Infallible>(server.answer(request).await) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
        }
    });
    address
}

fn write_kubeconfig(path: &Path, address: SocketAddr) {
    let kubeconfig = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{ "name": "memory", "cluster": { "server": format!("http://{address}") } }],
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

    /// The fields of the next line with `message`. Every line is JSON, because the output is not a terminal.
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
    let server = Server::default();
    let address = listen(&server).await;
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    write_kubeconfig(&kubeconfig, address);
    let foo = foo("a", "web", Some(1));
    server.put(&foo);

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
    let has_status = |server: &Server| server.get(&foo).is_some_and(|foo| foo.status.is_some());
    tokio::time::timeout(
        Duration::from_secs(60),
        server.until("the status is written", has_status),
    )
    .await
    .unwrap();
    assert!(get(probes, "/readyz?verbose").contains("[+]caches ok"));
    assert!(get(probes, "/healthz?verbose").contains("[+]leaderElection ok"));
    let metrics = get(metrics, "/metrics");
    assert!(
        metrics.contains("workqueue_adds_total{name=\"Foos\"}"),
        "{metrics}"
    );
    assert!(
        metrics.contains("leader_election_master_status{name=\"foo-operator\"} 1"),
        "{metrics}"
    );

    // The end waits for the write that is on its way, and then gives the lease back.
    let late = support::objects::foo("b", "late", Some(1));
    let mut held = server.hold_next("PATCH foos/b/status");
    server.put(&late);
    held.arrived().await;
    program.signal();
    program.until("draining the queue");
    held.release();
    program.until("workers have ended");
    program.until("stopped leading");
    assert!(program.child.wait().unwrap().success());
    assert_eq!(server.all("deployments").len(), 2);
    assert!(server.get(&late).unwrap().status.is_some());
    let lease = &server.all("leases")[0];
    assert_eq!(lease["metadata"]["namespace"], "foo-system");
    let holder = &lease["spec"]["holderIdentity"];
    assert!(holder.is_null() || holder == "", "{holder}");
    let events = server.all("events");
    let told = |text: &str| {
        let mut messages = events.iter().filter_map(|event| event["message"].as_str());
        messages.any(|message| message.ends_with(text))
    };
    assert!(
        told("Foo synced successfully") && told("stopped leading"),
        "{events:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_27_the_second_signal_does_not_wait() {
    let server = Server::default();
    let address = listen(&server).await;
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    write_kubeconfig(&kubeconfig, address);
    server.put(&foo("a", "web", Some(1)));
    let mut held = server.hold_next("POST deployments");
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
