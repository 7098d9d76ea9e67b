//! Measures the admission requests per second of a webhook and the 99th percentile of their latency, compared with the
//! same handlers on plain axum and kube's admission types. Then it measures reviews of conversions, also one after the other,
//! as the API server sends them.
//!
//! `cargo bench -p kgen-runtime --bench webhook`. Both servers have two threads, use TLS and get the same requests over
//! the same number of persistent connections, as from API servers. The clients use the same two cores, so a server
//! alone would be faster. Rounds alternate, so that other load on the machine affects both equally.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a program for people to read from"
)]

mod widget;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::routing::post;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use k8s_openapi::api::core::v1::{Container, Pod};
use kgen_runtime::conversion::{Change, Conversion, Variants};
use kgen_runtime::webhook::{self, Defaulter, Validator, Verdict, WebhookServer, field};
use kgen_testenv::ServingCertificates;
use kube::core::DynamicObject;
use kube::core::admission::{AdmissionRequest, AdmissionResponse, AdmissionReview};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_rustls::{TlsAcceptor, TlsConnector};

const MUTATE: &str = "/mutate--v1-pod";
const VALIDATE: &str = "/validate--v1-pod";
const CONVERT: &str = "/convert";
/// Persistent connections, each with one request at a time.
const CONNECTIONS: usize = 32;
/// How long one round takes.
const ROUND: Duration = Duration::from_secs(2);
const ROUNDS: usize = 7;

fn containers(pod: &Pod) -> &[Container] {
    pod.spec
        .as_ref()
        .map(|spec| spec.containers.as_slice())
        .unwrap_or_default()
}

/// Sets the default that both servers set.
fn complete(pod: &mut Pod) {
    for container in pod.spec.iter_mut().flat_map(|spec| &mut spec.containers) {
        container
            .image_pull_policy
            .get_or_insert_with(|| "IfNotPresent".to_owned());
    }
}

/// Returns whether an image has a tag; both servers reject one without.
fn has_tag(container: &Container) -> bool {
    container
        .image
        .as_deref()
        .is_some_and(|image| image.contains(':'))
}

struct Operator;

impl Defaulter for Operator {
    type Object = Pod;

    async fn default(&self, pod: &mut Pod, _request: &webhook::Request) -> Verdict {
        complete(pod);
        Verdict::default()
    }
}

impl Validator for Operator {
    type Object = Pod;

    async fn validate_create(&self, pod: &Pod, _request: &webhook::Request) -> Verdict {
        let mut verdict = Verdict::default();
        for (index, container) in containers(pod).iter().enumerate() {
            if !has_tag(container) {
                let path = field("spec").child("containers").index(index).child("image");
                verdict.invalid(path, &container.image, "must have a tag");
            }
        }
        verdict
    }
}

async fn mutate(Json(review): Json<AdmissionReview<Pod>>) -> Json<AdmissionReview<DynamicObject>> {
    let request: AdmissionRequest<Pod> = review.try_into().unwrap();
    let mut response = AdmissionResponse::from(&request);
    if let Some(mut pod) = request.object {
        let before = serde_json::to_value(&pod).unwrap();
        complete(&mut pod);
        let after = serde_json::to_value(&pod).unwrap();
        response = response.with_patch(json_patch::diff(&before, &after)).unwrap();
    }
    Json(response.into_review())
}

async fn validate(Json(review): Json<AdmissionReview<Pod>>) -> Json<AdmissionReview<DynamicObject>> {
    let request: AdmissionRequest<Pod> = review.try_into().unwrap();
    let mut response = AdmissionResponse::from(&request);
    for (index, container) in request.object.iter().flat_map(containers).enumerate() {
        if !has_tag(container) {
            let image = container.image.as_deref().unwrap_or_default();
            response = response.deny(format!(
                "spec.containers[{index}].image: Invalid value: {image:?}: must have a tag"
            ));
        }
    }
    Json(response.into_review())
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificates = ServingCertificates::new(folder.path().join("certificates")).expect("a certificate");
    let runtime = || {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime")
    };
    let (ours, theirs, clients) = (runtime(), runtime(), runtime());
    let kgen = serve_kgen(&ours, &certificates);
    let axum = serve_axum(&theirs, &certificates);
    let connector = connector(&certificates);

    let review = review();
    println!(
        "{CONNECTIONS} connections, TLS, HTTP/1.1, reviews of {} bytes, {ROUNDS} rounds of {} s each",
        review.len(),
        ROUND.as_secs()
    );
    println!("{:<34} {:>14} {:>14} {:>9}", "", "axum and kube", "kgen", "ratio");
    for (what, path) in [("defaulting", MUTATE), ("validating", VALIDATE)] {
        check(&clients, &connector, [axum, kgen], path, &review);
        let mut measured = [Measured::default(), Measured::default()];
        for _ in 0..ROUNDS {
            for (address, measured) in [axum, kgen].into_iter().zip(&mut measured) {
                measured.add(clients.block_on(round(&connector, address, path, &review, CONNECTIONS)));
            }
        }
        let [axum, kgen] = measured.map(Measured::result);
        let row = |unit: &str, axum: f64, kgen: f64, ratio: f64| {
            println!(
                "{:<34} {axum:>14.2} {kgen:>14.2} {ratio:>8.2}x",
                format!("{what}, {unit}")
            );
        };
        row("requests a second", axum.rate, kgen.rate, kgen.rate / axum.rate);
        row("median, ms", axum.median, kgen.median, axum.median / kgen.median);
        row("p99, ms", axum.p99, kgen.p99, axum.p99 / kgen.p99);
    }

    let review = Bytes::from(widget::review("example.com/v2", &[widget::object()]));
    println!("converting, reviews of {} bytes with one object", review.len());
    for connections in [CONNECTIONS, 1] {
        let mut measured = Measured::default();
        for _ in 0..ROUNDS {
            measured.add(clients.block_on(round(&connector, kgen, CONVERT, &review, connections)));
        }
        let Figures { rate, median, p99 } = measured.result();
        println!(
            "{connections:>3} connections: {rate:.0} requests a second, median {median:.2} ms, p99 {p99:.2} ms"
        );
    }
}

/// Returns a review of a pod of typical size that is being created.
fn review() -> Bytes {
    let container = |name: &str| {
        json!({
            "name": name, "image": "registry.example.com/web:1.2.3",
            "ports": [{ "containerPort": 8080, "protocol": "TCP" }],
            "env": [{ "name": "LEVEL", "value": "info" }, { "name": "REGION", "value": "eu" }],
            "resources": { "requests": { "cpu": "100m", "memory": "128Mi" } },
            "volumeMounts": [{ "name": "token", "readOnly": true, "mountPath": "/var/run/secrets/token" }],
        })
    };
    let review = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "0c9a8d74-9cb7-44dd-b98e-09fd62def2f4",
            "kind": { "group": "", "version": "v1", "kind": "Pod" },
            "resource": { "group": "", "version": "v1", "resource": "pods" },
            "requestKind": { "group": "", "version": "v1", "kind": "Pod" },
            "requestResource": { "group": "", "version": "v1", "resource": "pods" },
            "name": "web-7d9f8b6c5d-000001", "namespace": "team-001", "operation": "CREATE",
            "userInfo": {
                "username": "system:serviceaccount:kube-system:replicaset-controller",
                "groups": ["system:serviceaccounts", "system:authenticated"],
            },
            "object": {
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {
                    "name": "web-7d9f8b6c5d-000001", "namespace": "team-001", "creationTimestamp": null,
                    "labels": { "app": "web", "pod-template-hash": "7d9f8b6c5d", "tier": "front" },
                    "ownerReferences": [{
                        "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-7d9f8b6c5d",
                        "uid": "5f0c1c52-7a3e-4b5e-9d7c-000000000001", "controller": true, "blockOwnerDeletion": true,
                    }],
                },
                "spec": {
                    "restartPolicy": "Always", "serviceAccountName": "default",
                    "containers": [container("web"), container("proxy")],
                    "volumes": [{ "name": "token", "secret": { "secretName": "token" } }],
                    "tolerations": [{ "key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute" }],
                },
                "status": {},
            },
            "oldObject": null, "dryRun": false,
            "options": { "apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions" },
        },
    });
    Bytes::from(review.to_string())
}

fn serve_kgen(runtime: &Runtime, certificates: &ServingCertificates) -> SocketAddr {
    let server = runtime
        .block_on(
            WebhookServer::builder()
                .certificates(certificates.folder())
                .defaulting(Operator)
                .validating(Operator)
                .converting(widget::conversion())
                .listen(([127, 0, 0, 1], 0).into()),
        )
        .expect("a server");
    let address = server.address();
    runtime.spawn(server.serve(std::future::pending()));
    address
}

/// Returns the same without kgen: an axum router behind TLS.
fn serve_axum(runtime: &Runtime, certificates: &ServingCertificates) -> SocketAddr {
    let read = |name: &str| std::fs::read(certificates.folder().join(name)).expect("a file");
    let chain = vec![CertificateDer::from_pem_slice(&read("tls.crt")).expect("a certificate")];
    let key = PrivateKeyDer::from_pem_slice(&read("tls.key")).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("TLS")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a pair");
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let tls = TlsAcceptor::from(Arc::new(config));
    let router = axum::Router::new()
        .route(MUTATE, post(mutate))
        .route(VALIDATE, post(validate));
    let listener = runtime
        .block_on(TcpListener::bind("127.0.0.1:0"))
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    runtime.spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            let (tls, router) = (tls.clone(), router.clone());
            tokio::spawn(async move {
                stream.set_nodelay(true).expect("no delay");
                let stream = TokioIo::new(tls.accept(stream).await.expect("a handshake"));
                let service = TowerToHyperService::new(router);
                // The client disconnects at the end of a round.
                let _ = auto::Builder::new(TokioExecutor::new())
                    .serve_connection(stream, service)
                    .await;
            });
        }
    });
    address
}

fn connector(certificates: &ServingCertificates) -> TlsConnector {
    let mut trusted = RootCertStore::empty();
    let authority =
        CertificateDer::from_pem_slice(certificates.authority().as_bytes()).expect("a certificate");
    trusted.add(authority).expect("an authority");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("TLS")
        .with_root_certificates(trusted)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

type Sender = hyper::client::conn::http1::SendRequest<Full<Bytes>>;

async fn connect(connector: &TlsConnector, address: SocketAddr) -> Sender {
    let stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_nodelay(true).expect("no delay");
    let stream = connector
        .connect(ServerName::from(address.ip()), stream)
        .await
        .expect("a handshake");
    let (sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .expect("HTTP");
    tokio::spawn(connection);
    sender
}

async fn ask(sender: &mut Sender, path: &str, review: &Bytes) -> Bytes {
    let request = Request::post(path)
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(Full::new(review.clone()))
        .expect("a request");
    let answer = sender.send_request(request).await.expect("an answer");
    assert_eq!(answer.status(), 200);
    answer.into_body().collect().await.expect("a body").to_bytes()
}

/// Checks that both servers give the same answers, otherwise the comparison is meaningless.
fn check(runtime: &Runtime, connector: &TlsConnector, servers: [SocketAddr; 2], path: &str, review: &Bytes) {
    let answers = servers.map(|address| {
        let answer =
            runtime.block_on(async { ask(&mut connect(connector, address).await, path, review).await });
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!(answer["response"]["allowed"], true, "{answer}");
        // kube writes the patch as a list of numbers and kgen as base64; the API server accepts both.
        answer["response"]["patch"].is_null()
    });
    assert_eq!(answers[0], answers[1]);
}

/// Returns how long each request of a round took.
async fn round(
    connector: &TlsConnector,
    address: SocketAddr,
    path: &'static str,
    review: &Bytes,
    connections: usize,
) -> Vec<Duration> {
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..connections {
        let (mut sender, review) = (connect(connector, address).await, review.clone());
        clients.spawn(async move {
            let (end, mut times) = (Instant::now() + ROUND, Vec::new());
            while Instant::now() < end {
                let start = Instant::now();
                ask(&mut sender, path, &review).await;
                times.push(start.elapsed());
            }
            times
        });
    }
    clients.join_all().await.concat()
}

#[derive(Default)]
struct Measured {
    rates: Vec<f64>,
    times: Vec<Duration>,
}

struct Figures {
    rate: f64,
    median: f64,
    p99: f64,
}

impl Measured {
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn add(&mut self, times: Vec<Duration>) {
        self.rates.push(times.len() as f64 / ROUND.as_secs_f64());
        self.times.extend(times);
    }

    /// Returns the median round, and the latencies of all rounds.
    fn result(mut self) -> Figures {
        self.rates.sort_by(f64::total_cmp);
        self.times.sort();
        let at = |part: usize| self.times[self.times.len() * part / 100].as_secs_f64() * 1e3;
        Figures {
            rate: self.rates[self.rates.len() / 2],
            median: at(50),
            p99: at(99),
        }
    }
}
