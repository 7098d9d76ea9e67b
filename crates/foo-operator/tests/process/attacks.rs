//! Clients that attack every port of the program at once, at its default limits: probes and reviews are still answered, and memory
//! stays within the limit of a deployment.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use foo_operator::api::v1::Foo;
use kgen_fake::Cluster;
use kgen_testenv::ServingCertificates;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::program::{Program, get, serve};

/// Connections to the port of the probes that send half of a request.
const HALF_OPEN: usize = 64;

/// Connections to the port of the webhooks that do nothing.
const IDLE: usize = 1024;

/// Requests to the port of the webhooks whose bodies do not end.
const BODIES: usize = 100;

/// The length of these bodies.
const BODY: usize = 7 * 1024 * 1024;

/// The time in which a probe must be answered.
const PROMPT: Duration = Duration::from_millis(100);

/// How long a busy machine may take to answer one probe in time.
const PATIENCE: Duration = Duration::from_secs(60);

/// The memory limit of new projects.
#[cfg(target_os = "linux")]
const MEMORY: usize = 128 * 1024;

/// A client of the port of the webhooks.
#[derive(Clone)]
struct Client {
    address: SocketAddr,
    authority: CertificateDer<'static>,
}

impl Client {
    async fn connect(&self, protocol: &str) -> std::io::Result<TlsStream<TcpStream>> {
        let mut trusted = RootCertStore::empty();
        trusted.add(self.authority.clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(trusted)
            .with_no_client_auth();
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        let stream = TcpStream::connect(self.address).await?;
        let name = ServerName::from(self.address.ip());
        TlsConnector::from(Arc::new(config)).connect(name, stream).await
    }

    /// Opens a connection and leaves it idle until the server closes it.
    async fn idle(self, arrived: Arc<AtomicUsize>) -> std::io::Result<()> {
        // The preface of HTTP/2, and empty settings.
        const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
        let opened = async {
            let mut stream = self.connect("h2").await?;
            stream.write_all(PREFACE).await?;
            Ok(stream)
        };
        until_closed(opened.await, &arrived).await
    }

    /// Sends all of a body but its last byte.
    async fn unfinished(self, arrived: Arc<AtomicUsize>) -> std::io::Result<()> {
        static PART: [u8; 64 * 1024] = [b' '; 64 * 1024];
        let sent = async {
            let mut stream = self.connect("http/1.1").await?;
            stream.write_all(head(BODY).as_bytes()).await?;
            for _ in 1..BODY / PART.len() {
                stream.write_all(&PART).await?;
            }
            stream.write_all(&PART[1..]).await?;
            stream.flush().await?;
            Ok(stream)
        };
        until_closed(sent.await, &arrived).await
    }

    /// Sends a review and returns the answer.
    async fn review(&self) -> std::io::Result<String> {
        let review = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
            "request": { "uid": "a", "desiredAPIVersion": "example.com/v1", "objects": [] },
        });
        let body = review.to_string();
        let mut stream = self.connect("http/1.1").await?;
        stream.write_all(head(body.len()).as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
        let mut answer = vec![0; 4096];
        let length = stream.read(&mut answer).await?;
        Ok(String::from_utf8_lossy(&answer[..length]).into_owned())
    }
}

/// Returns the head of a review with a body of this length.
fn head(length: usize) -> String {
    format!(
        "POST /convert HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
}

/// Counts an attack that is under way or was refused, and waits until the server ends it.
async fn until_closed(
    opened: std::io::Result<impl AsyncReadExt + Unpin>,
    arrived: &AtomicUsize,
) -> std::io::Result<()> {
    arrived.fetch_add(1, Ordering::Relaxed);
    tokio::io::copy(&mut opened?, &mut tokio::io::sink()).await?;
    Ok(())
}

/// Returns a number of kilobytes from the state of a process.
#[cfg(target_os = "linux")]
fn kilobytes(process: u32, key: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn attacks_on_all_ports_delay_no_probe_and_fill_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    let _cluster = serve(Cluster::new().kind::<Foo>(), &kubeconfig).await;
    let certificates = ServingCertificates::new(folder.path().join("certificates")).unwrap();
    let mut program = Program::start(&[
        "--kubeconfig",
        kubeconfig.to_str().unwrap(),
        "--context=here",
        "--webhook-certs",
        certificates.folder().to_str().unwrap(),
        "--webhook-addr=127.0.0.1:0",
        "--probe-addr=127.0.0.1:0",
    ]);
    let client = Client {
        address: program.address("serving conversions").parse().unwrap(),
        authority: CertificateDer::from_pem_slice(certificates.authority().as_bytes()).unwrap(),
    };
    let probes = program.address("serving probes");

    let arrived = Arc::new(AtomicUsize::new(0));
    let mut attacks = JoinSet::new();
    for _ in 0..HALF_OPEN {
        let (probes, arrived) = (probes.clone(), Arc::clone(&arrived));
        attacks.spawn(async move {
            let opened = async {
                let mut stream = TcpStream::connect(probes).await?;
                stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: ").await?;
                Ok(stream)
            };
            until_closed(opened.await, &arrived).await
        });
    }
    for _ in 0..BODIES {
        attacks.spawn(client.clone().unfinished(Arc::clone(&arrived)));
    }
    for _ in 0..IDLE {
        attacks.spawn(client.clone().idle(Arc::clone(&arrived)));
    }

    // A probe may be late because the machine is busy, but then not every one is.
    let mut best = Duration::MAX;
    let (mut begun, mut count) = (Instant::now(), 0);
    let all = HALF_OPEN + BODIES + IDLE;
    while arrived.load(Ordering::Relaxed) < all || best > PROMPT && begun.elapsed() < PATIENCE {
        if arrived.load(Ordering::Relaxed) < all {
            begun = Instant::now();
        }
        let probes = probes.clone();
        let sent = Instant::now();
        let answer = tokio::task::spawn_blocking(move || get(&probes, "/healthz"))
            .await
            .unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        best = best.min(sent.elapsed());
        count += 1;
    }
    println!("the fastest of {count} probes took {best:?}");
    assert!(best <= PROMPT, "{best:?}");
    let answer = client.review().await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");

    #[cfg(target_os = "linux")]
    {
        let most = kilobytes(program.child.id(), "VmHWM:");
        println!("at most {most} kB of memory");
        assert!(most < MEMORY, "{most} kB");
    }
}
