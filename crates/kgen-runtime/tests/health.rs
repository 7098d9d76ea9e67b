//! The health server over a real socket.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what they expect"
)]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kgen_runtime::health::{Health, HealthError, Server};
use kgen_runtime::metrics::Metrics;
use kgen_runtime::queue::WorkQueue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const ANYWHERE: ([u8; 4], u16) = ([127, 0, 0, 1], 0);

/// The maximum number of open connections of a server.
const SLOTS: usize = 64;

/// A clock that does not advance until this is dropped, so that a slow machine does not matter. A paused clock of tokio
/// advances when there is nothing to do, but not while a blocking task runs.
struct FrozenClock {
    _blocks: std::sync::mpsc::Sender<()>,
}

impl FrozenClock {
    fn new() -> Self {
        tokio::time::pause();
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || receiver.recv());
        Self { _blocks: sender }
    }
}

struct Running {
    address: SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    async fn start(health: Health) -> Self {
        Self::run(health.listen(ANYWHERE.into()).await.unwrap())
    }

    fn run(server: Server) -> Self {
        let address = server.address();
        let stop = CancellationToken::new();
        let task = tokio::spawn(server.serve(stop.clone().cancelled_owned()));
        Self { address, stop, task }
    }

    /// Returns the whole response to a request with these lines.
    async fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!("{request}\r\nhost: test\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    async fn get(&self, path: &str) -> (u16, String) {
        let answer = self.ask(&format!("GET {path} HTTP/1.1")).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }
}

#[tokio::test]
async fn checks_decide_the_status() {
    let synced = Arc::new(AtomicBool::new(false));
    let health = Health::default()
        .live("ping", || Ok(()))
        .ready("ping", || Ok(()))
        .ready("caches", {
            let synced = Arc::clone(&synced);
            move || {
                if synced.load(Ordering::SeqCst) {
                    Ok(())
                } else {
                    Err("foos not synced".to_owned())
                }
            }
        });
    let server = Running::start(health).await;
    assert_eq!(server.get("/healthz").await, (200, "ok".to_owned()));
    let failed = "[-]caches failed: foos not synced\n[+]ping ok\nreadyz check failed\n";
    assert_eq!(server.get("/readyz").await, (500, failed.to_owned()));
    assert_eq!(server.get("/readyz/ping").await, (200, "ok".to_owned()));
    assert_eq!(server.get("/readyz/caches").await.0, 500);
    assert_eq!(server.get("/readyz/other").await.0, 404);

    synced.store(true, Ordering::SeqCst);
    assert_eq!(server.get("/readyz").await, (200, "ok".to_owned()));
    let passed = "[+]caches ok\n[+]ping ok\nreadyz check passed\n";
    assert_eq!(server.get("/readyz?verbose").await, (200, passed.to_owned()));
}

#[tokio::test]
async fn metrics_come_in_the_format_that_the_client_accepts() {
    let metrics = Metrics::default();
    let queue = WorkQueue::builder().name("foo").metrics(&metrics).build();
    queue.add("a");
    let server = Running::run(metrics.listen(ANYWHERE.into()).await.unwrap());

    let plain = server.ask("GET /metrics HTTP/1.1").await;
    assert!(plain.starts_with("HTTP/1.1 200 OK\r\n"), "{plain}");
    assert!(
        plain.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"),
        "{plain}"
    );
    assert!(
        plain.contains(
            "# TYPE workqueue_adds_total counter\nworkqueue_adds_total{name=\"foo\",controller=\"foo\"} 1\n"
        ),
        "{plain}"
    );
    assert!(!plain.contains("# EOF"), "{plain}");

    let accept = "accept: application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3";
    let open = server.ask(&format!("GET /metrics HTTP/1.1\r\n{accept}")).await;
    assert!(
        open.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"),
        "{open}"
    );
    assert!(open.contains("# TYPE workqueue_adds counter\n"), "{open}");
    assert!(open.ends_with("# EOF\n"), "{open}");
}

#[tokio::test]
async fn other_paths_and_methods_are_refused() {
    let server = Running::start(Health::default()).await;
    assert_eq!(server.get("/").await.0, 404);
    assert_eq!(server.get("/metrics").await.0, 404, "they have their own port");
    let metrics = Running::run(Metrics::default().listen(ANYWHERE.into()).await.unwrap());
    assert_eq!(metrics.get("/metrics/x").await.0, 404);
    assert_eq!(metrics.get("/healthz").await.0, 404);
    assert_eq!(server.get("/healthz").await, (200, "ok".to_owned()));
    let refused = server.ask("DELETE /healthz HTTP/1.1").await;
    assert!(refused.starts_with("HTTP/1.1 405 "), "{refused}");
    assert!(refused.contains("allow: GET, HEAD\r\n"), "{refused}");
    let head = server.ask("HEAD /healthz HTTP/1.1").await;
    assert!(
        head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
}

#[tokio::test]
async fn the_server_ends_although_a_connection_is_open() {
    let server = Running::start(Health::default()).await;
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n")
        .await
        .unwrap();
    let mut first = [0; 12];
    idle.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    server.stop.cancel();
    server.task.await.unwrap();
    assert!(
        TcpStream::connect(server.address).await.is_err(),
        "nobody listens any more"
    );
}

#[tokio::test]
async fn an_address_in_use_is_an_error_that_names_it() {
    let server = Running::start(Health::default()).await;
    let HealthError::Listen { address, .. } = Health::default().listen(server.address).await.unwrap_err()
    else {
        panic!("another error");
    };
    assert_eq!(address, server.address);
}

/// Returns whether the server has closed this connection.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut byte = [0];
    matches!(stream.read(&mut byte).await, Ok(0) | Err(_))
}

#[tokio::test]
async fn half_open_connections_do_not_delay_probes() {
    let _clock = FrozenClock::new();
    let server = Running::start(Health::default()).await;
    let mut silent = Vec::new();
    for _ in 0..SLOTS {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(b"GET /healthz HT").await.unwrap();
        silent.push(stream);
    }
    assert_eq!(server.get("/healthz").await, (200, "ok".to_owned()));
    assert!(is_closed(&mut silent[0]).await, "the oldest made room");
    for stream in &mut silent[1..] {
        stream
            .write_all(b"TP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n")
            .await
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    }
}

#[tokio::test]
async fn a_connection_that_was_used_lately_is_kept() {
    let _clock = FrozenClock::new();
    let server = Running::start(Health::default()).await;
    let mut used = TcpStream::connect(server.address).await.unwrap();
    let mut silent = Vec::new();
    for _ in 1..SLOTS {
        silent.push(TcpStream::connect(server.address).await.unwrap());
    }
    let mut answer = [0; 12];
    for _ in 0..2 {
        used.write_all(b"GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n")
            .await
            .unwrap();
        used.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
        let mut rest = Vec::new();
        while !rest.ends_with(b"\r\n\r\nok") {
            rest.push(used.read_u8().await.unwrap());
        }
        // Each of these replaces another one, and the oldest of them never sent anything.
        assert_eq!(server.get("/healthz").await.0, 200);
    }
    assert!(is_closed(&mut silent[0]).await);
}
