//! Metrics over TLS, for clients that the API server knows and allows.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use kgen_runtime::manager::Manager;
use kgen_runtime::metrics::Metrics;
use kgen_runtime::shutdown::Shutdown;
use kgen_testenv::ServingCertificates;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Answer as ApiAnswer, Seen, Server};
use crate::support::{Client, Http, send, until};

/// Knows one token, and the users that may read metrics.
fn reviewer(allowed: Arc<Mutex<bool>>) -> Server {
    Server::new(move |seen: &Seen| {
        let mut answer = seen.body.clone();
        answer["status"] = match seen.path.as_str() {
            "/apis/authentication.k8s.io/v1/tokenreviews" => match seen.body["spec"]["token"].as_str() {
                Some("good") => json!({ "authenticated": true, "user": {
                    "username": "system:serviceaccount:monitoring:prometheus", "uid": "7",
                    "groups": ["system:serviceaccounts"], "extra": { "pod": ["p"] } } }),
                Some("same user, no groups") => json!({ "authenticated": true, "user": {
                    "username": "system:serviceaccount:monitoring:prometheus", "uid": "7" } }),
                Some("broken") => return ApiAnswer::error(500, "InternalError"),
                _ => json!({ "authenticated": false }),
            },
            "/apis/authorization.k8s.io/v1/subjectaccessreviews" => {
                let has_groups = seen.body["spec"].get("groups").is_some();
                json!({ "allowed": has_groups && *allowed.lock().unwrap() })
            }
            _ => return ApiAnswer::error(404, "NotFound"),
        };
        ApiAnswer::ok(answer)
    })
}

struct Running {
    address: SocketAddr,
    certificates: ServingCertificates,
    api: Server,
    allowed: Arc<Mutex<bool>>,
    stop: CancellationToken,
    _folder: TempDir,
}

impl Running {
    async fn start(http2: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let certificates = ServingCertificates::new(folder.path().join("certificates")).unwrap();
        let allowed = Arc::new(Mutex::new(true));
        let api = reviewer(Arc::clone(&allowed));
        let metrics = Metrics::default();
        metrics.process();
        let server = metrics
            .secured(&api.client())
            .certificates(certificates.folder())
            .certificate_interval(Duration::from_millis(20))
            .http2(http2)
            .listen(([127, 0, 0, 1], 0).into())
            .await
            .unwrap();
        let (address, stop) = (server.address(), CancellationToken::new());
        tokio::spawn(server.serve(stop.clone().cancelled_owned()));
        Self {
            address,
            certificates,
            api,
            allowed,
            stop,
            _folder: folder,
        }
    }

    fn client(&self) -> Client {
        Client::new(self.address, self.certificates.authority())
    }

    async fn get(&self, token: Option<&str>, path: &str) -> (u16, String) {
        let answer = self.client().send(request(token, path)).await;
        let body = String::from_utf8(answer.body().to_vec()).unwrap();
        (answer.status().as_u16(), body)
    }
}

fn request(token: Option<&str>, path: &str) -> Request<Full<Bytes>> {
    let mut request = Request::get(format!("https://localhost{path}")).header("host", "localhost");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    request.body(Full::default()).unwrap()
}

#[tokio::test]
async fn only_known_and_allowed_clients_get_the_metrics() {
    let server = Running::start(false).await;
    assert_eq!(
        server.get(None, "/metrics").await,
        (401, "Unauthorized\n".to_owned())
    );
    assert!(server.api.seen().is_empty(), "there is nothing to review");
    assert_eq!(server.get(Some("bad"), "/metrics").await.0, 401);
    assert_eq!(server.get(Some("good"), "/other").await.0, 404);
    let (code, text) = server.get(Some("good"), "/metrics").await;
    assert_eq!(code, 200, "{text}");
    assert!(text.contains("process_resident_memory_bytes"), "{text}");

    let seen = server.api.seen();
    assert_eq!(seen.len(), 3, "{seen:?}");
    let expected = json!({
        "user": "system:serviceaccount:monitoring:prometheus", "uid": "7",
        "groups": ["system:serviceaccounts"], "extra": { "pod": ["p"] },
        "nonResourceAttributes": { "path": "/metrics", "verb": "get" },
    });
    assert_eq!(seen[2].body["spec"], expected);
    server.get(Some("good"), "/metrics").await;
    assert_eq!(server.api.seen().len(), 3, "the answers are remembered");
    let (code, _) = server.get(Some("same user, no groups"), "/metrics").await;
    assert_eq!(code, 403, "what the groups allow is not remembered for the user");

    assert_eq!(
        server.get(Some("broken"), "/metrics").await,
        (500, "Authentication failed\n".to_owned())
    );
    server.stop.cancel();
}

#[tokio::test]
async fn a_client_that_no_role_allows_is_refused() {
    let server = Running::start(false).await;
    *server.allowed.lock().unwrap() = false;
    let (code, text) = server.get(Some("good"), "/metrics").await;
    assert_eq!(code, 403);
    assert_eq!(
        text,
        "Authorization denied for user system:serviceaccount:monitoring:prometheus\n"
    );
}

#[tokio::test]
async fn plain_http_and_http_2_get_nothing() {
    let server = Running::start(false).await;
    let mut plain = TcpStream::connect(server.address).await.unwrap();
    plain
        .write_all(b"GET /metrics HTTP/1.1\r\nhost: a\r\nauthorization: Bearer good\r\n\r\n")
        .await
        .unwrap();
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer).await;
    assert!(!String::from_utf8_lossy(&answer).contains("200 OK"));
    let stream = TcpStream::connect(server.address).await.unwrap();
    let refused = server.client().handshake(Http::Two, stream).await;
    assert!(refused.is_err(), "HTTP/2 is off by default");

    let server = Running::start(true).await;
    let stream = server.client().connect(Http::Two).await;
    let answer = send(stream, Http::Two, request(Some("good"), "/metrics")).await;
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn a_new_certificate_is_used() {
    let server = Running::start(false).await;
    let before = server.client().certificate().await;
    server.certificates.replace().unwrap();
    until("the new certificate is used", || async {
        (server.client().certificate().await != before).then_some(())
    })
    .await;
    assert_eq!(server.get(Some("good"), "/metrics").await.0, 200);
}

#[tokio::test]
async fn a_manager_serves_them_securely_unless_told_otherwise() {
    let allowed = Arc::new(Mutex::new(true));
    let any_port: SocketAddr = "127.0.0.1:0".parse().unwrap();
    for secure in [true, false] {
        let api = reviewer(Arc::clone(&allowed));
        let builder = Manager::builder("tester").serve_probes(Some(any_port));
        let builder = if secure {
            builder.serve_metrics(Some(any_port))
        } else {
            builder.serve_metrics_insecurely(Some(any_port))
        };
        let manager = builder.with_client(api.client(), "default");
        let addresses = manager.addresses();
        assert_eq!((addresses.probes(), addresses.metrics()), (None, None));
        let shutdown = Shutdown::default();
        let signals = shutdown.clone();
        let running = tokio::spawn(async move { manager.run(&signals).await });
        let plain = async |address: SocketAddr, path: &str| {
            let mut stream = TcpStream::connect(address).await.ok()?;
            let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).await.ok()?;
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            Some(String::from_utf8_lossy(&answer).into_owned())
        };
        let probes = until("it listens", || async { addresses.probes() }).await;
        let metrics = until("it listens", || async { addresses.metrics() }).await;
        let ready = until("the probes are served", || plain(probes, "/readyz")).await;
        assert!(ready.contains("200 OK"), "{ready}");
        let answer = until("the metrics are served", || plain(metrics, "/metrics")).await;
        assert_eq!(answer.contains("200 OK"), !secure, "{answer}");
        shutdown.signal();
        running.await.unwrap().unwrap();
    }
}
