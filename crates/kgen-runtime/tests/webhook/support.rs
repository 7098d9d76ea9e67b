//! A running server, and a simple client that opens a new connection for every request.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use kgen_runtime::metrics::{Format, Metrics};
use kgen_runtime::webhook::{WebhookServer, WebhookServerBuilder};
use kgen_testenv::ServingCertificates;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ALL_VERSIONS, ClientConfig, RootCertStore, SupportedProtocolVersion};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::sync::CancellationToken;

use crate::memcached::Operator;

pub const MUTATE: &str = "/mutate-cache-example-com-v1-memcached";
pub const VALIDATE: &str = "/validate-cache-example-com-v1-memcached";

/// How long a test waits for an expected event.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Which version of HTTP the client offers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Http {
    One,
    Two,
}

pub struct Running {
    pub address: SocketAddr,
    pub certificates: Arc<ServingCertificates>,
    pub metrics: Metrics,
    pub stop: CancellationToken,
    pub task: JoinHandle<()>,
    _folder: TempDir,
}

/// An answer: status, headers, body.
pub type Answer = Response<Bytes>;

impl Running {
    /// Returns the operator's server.
    pub async fn start() -> Self {
        Self::start_with(|builder| builder.defaulting(Operator).validating(Operator)).await
    }

    pub async fn start_with(configure: impl FnOnce(WebhookServerBuilder) -> WebhookServerBuilder) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let certificates = ServingCertificates::new(folder.path().join("certificates")).unwrap();
        let metrics = Metrics::default();
        let builder = WebhookServer::builder()
            .certificates(certificates.folder())
            .certificate_interval(Duration::from_millis(20))
            .metrics(&metrics);
        let server = configure(builder)
            .listen(([127, 0, 0, 1], 0).into())
            .await
            .unwrap();
        let address = server.address();
        let stop = CancellationToken::new();
        let task = tokio::spawn(server.serve(stop.clone().cancelled_owned()));
        Self {
            address,
            certificates: Arc::new(certificates),
            metrics,
            stop,
            task,
            _folder: folder,
        }
    }

    pub fn client(&self) -> Client {
        Client::new(self.address, self.certificates.authority())
    }

    /// Returns the `response` of the review that answers this one.
    pub async fn judge(&self, path: &str, review: &Value) -> Value {
        let answer = self.client().post(Http::One, path, review).await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        let review: Value = serde_json::from_slice(answer.body()).unwrap();
        assert_eq!(review["apiVersion"], "admission.k8s.io/v1");
        assert_eq!(review["kind"], "AdmissionReview");
        review["response"].clone()
    }

    /// Returns the sample of a metric, such as `name{label="value"}`.
    pub fn metric(&self, name: &str) -> String {
        let text = self.metrics.encode(Format::Prometheus);
        let sample = text.lines().find_map(|line| line.strip_prefix(name));
        sample
            .unwrap_or_else(|| panic!("no {name} in\n{text}"))
            .trim()
            .to_owned()
    }
}

#[derive(Clone)]
pub struct Client {
    address: SocketAddr,
    authority: CertificateDer<'static>,
    /// The versions of TLS that it speaks.
    pub versions: &'static [&'static SupportedProtocolVersion],
}

impl Client {
    pub fn new(address: SocketAddr, authority: &str) -> Self {
        let authority = CertificateDer::from_pem_slice(authority.as_bytes()).unwrap();
        Self {
            address,
            authority,
            versions: ALL_VERSIONS,
        }
    }

    pub async fn connect(&self, http: Http) -> TlsStream<TcpStream> {
        let stream = TcpStream::connect(self.address).await.unwrap();
        self.handshake(http, stream).await.unwrap()
    }

    /// Performs the TLS handshake on an open connection.
    pub async fn handshake(&self, http: Http, stream: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        let mut trusted = RootCertStore::empty();
        trusted.add(self.authority.clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(self.versions)
            .unwrap()
            .with_root_certificates(trusted)
            .with_no_client_auth();
        config.alpn_protocols = match http {
            Http::One => vec![b"http/1.1".to_vec()],
            Http::Two => vec![b"h2".to_vec()],
        };
        let connector = TlsConnector::from(Arc::new(config));
        connector
            .connect(ServerName::from(self.address.ip()), stream)
            .await
    }

    /// Returns the certificate that a new connection gets.
    pub async fn certificate(&self) -> CertificateDer<'static> {
        let stream = self.connect(Http::One).await;
        let chain = stream.get_ref().1.peer_certificates().unwrap();
        chain[0].clone().into_owned()
    }

    /// Sends a review over a separate connection.
    pub async fn post(&self, http: Http, path: &str, review: &Value) -> Answer {
        let stream = self.connect(http).await;
        send(stream, http, request("POST", path, review.to_string())).await
    }

    /// Sends any request over a separate connection.
    pub async fn send(&self, request: Request<Full<Bytes>>) -> Answer {
        let stream = self.connect(Http::One).await;
        send(stream, Http::One, request).await
    }
}

/// Returns a request with JSON.
pub fn request(method: &str, path: &str, body: String) -> Request<Full<Bytes>> {
    Request::builder()
        .method(method)
        .uri(format!("https://localhost{path}"))
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(body)))
        .unwrap()
}

/// Sends a request over a connection, and closes it after the response.
pub async fn send(stream: TlsStream<TcpStream>, http: Http, request: Request<Full<Bytes>>) -> Answer {
    let stream = TokioIo::new(stream);
    let (answer, connection) = match http {
        Http::One => {
            let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await.unwrap();
            let connection = tokio::spawn(async move { drop(connection.await) });
            (sender.send_request(request).await.unwrap(), connection)
        }
        Http::Two => {
            let executor = TokioExecutor::new();
            let (mut sender, connection) = hyper::client::conn::http2::handshake(executor, stream)
                .await
                .unwrap();
            let connection = tokio::spawn(async move { drop(connection.await) });
            (sender.send_request(request).await.unwrap(), connection)
        }
    };
    let (head, body) = answer.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    connection.abort();
    Response::from_parts(head, body)
}

/// Waits until a condition holds, with a deadline.
pub async fn until<T, F: Future<Output = Option<T>>>(what: &str, mut ask: impl FnMut() -> F) -> T {
    let asking = async {
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking)
        .await
        .unwrap_or_else(|_| panic!("not in time: {what}"))
}
