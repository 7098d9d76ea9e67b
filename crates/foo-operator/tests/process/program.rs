//! The program as a process, and the cluster that it runs against.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use kgen_fake::{Cluster, ClusterBuilder};
use serde_json::{Value, json};

/// Serves a cluster on a free port, to the program of this kubeconfig.
pub async fn serve(cluster: ClusterBuilder, kubeconfig: &Path) -> Cluster {
    let cluster = cluster.start();
    // The lease is in the namespace of the operator.
    cluster.put(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "foo-system" } }));
    let served = cluster.serve().await.unwrap();
    write_kubeconfig(kubeconfig, served.port());
    cluster
}

/// Waits until `holds`.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
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
pub struct Program {
    pub child: Child,
    pub log: BufReader<ChildStderr>,
}

impl Program {
    pub fn start(arguments: &[&str]) -> Self {
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
    pub fn until(&mut self, message: &str) -> Value {
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

    /// Returns the address in the next line with `message`.
    pub fn address(&mut self, message: &str) -> String {
        self.until(message)["address"].as_str().unwrap().to_owned()
    }

    pub fn signal(&self) {
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

pub fn get(address: &str, path: &str) -> String {
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
