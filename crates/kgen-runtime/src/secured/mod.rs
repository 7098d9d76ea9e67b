//! Serves `/metrics` over TLS, and only to clients that the API server knows and allows, as kubebuilder's projects do.
//!
//! A client sends the token of a service account. The server asks the API server who it is (TokenReview) and whether it may
//! read the metrics (SubjectAccessReview). `review` does that; this module serves.
//!
//! The role of the operator needs `create` on `tokenreviews` in the group `authentication.k8s.io`, and on
//! `subjectaccessreviews` in the group `authorization.k8s.io`. The role of a client needs `get` on the non-resource URL
//! `/metrics`.

mod review;

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::NoServerSessionStorage;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use self::review::Reviewer;
use crate::health::{Content, HealthError, MAX_CONNECTIONS, MAX_HEAD_BYTES, REQUEST_TIMEOUT, TextBody, text};
use crate::metrics::Metrics;
use crate::serve::{Acceptor, Slot, drive};
use crate::webhook::{Certificates, watch_certificates};

/// How often the certificate is checked, as for webhooks.
const CERTIFICATE_INTERVAL: Duration = Duration::from_secs(10);

/// The time that open requests have to finish at the end.
const GOODBYE: Duration = Duration::from_secs(1);

/// Settings of a server for metrics with TLS, authentication and authorization. See [`Metrics::secured`].
#[derive(Clone)]
#[must_use = "it does nothing until `listen`"]
pub struct Secured {
    metrics: Metrics,
    client: kube::Client,
    certificates: Option<PathBuf>,
    certificate_interval: Duration,
    http2: bool,
}

impl Metrics {
    /// Starts to configure a server for `/metrics` over TLS that asks the API server whether a client is allowed.
    ///
    /// ```no_run
    /// use kgen_runtime::metrics::Metrics;
    /// use kgen_runtime::shutdown::Shutdown;
    ///
    /// # async fn example(client: kube::Client, shutdown: Shutdown) -> Result<(), Box<dyn std::error::Error>> {
    /// let metrics = Metrics::default();
    /// let server = metrics.secured(&client).certificates("/certs").listen(([0, 0, 0, 0], 8443).into()).await?;
    /// server.serve(shutdown.token().cancelled_owned()).await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn secured(&self, client: &kube::Client) -> Secured {
        Secured {
            metrics: self.clone(),
            client: client.clone(),
            certificates: None,
            certificate_interval: CERTIFICATE_INTERVAL,
            http2: false,
        }
    }
}

impl Secured {
    /// Sets the folder with `tls.crt` and `tls.key`, as in a mounted Secret. The files are reloaded when they change. Without
    /// it, the certificate is self-signed, so clients cannot verify it.
    pub fn certificates(mut self, folder: impl Into<PathBuf>) -> Self {
        self.certificates = Some(folder.into());
        self
    }

    /// Sets how often the files are checked. The default is ten seconds.
    pub fn certificate_interval(mut self, interval: Duration) -> Self {
        self.certificate_interval = interval;
        self
    }

    /// Also serves HTTP/2. It is off by default, as in kubebuilder's projects, because of attacks on it
    /// (CVE-2023-44487, CVE-2023-39325).
    pub fn http2(mut self, wanted: bool) -> Self {
        self.http2 = wanted;
        self
    }

    /// Loads the certificate and listens at the address. With port 0 the system chooses the port, and
    /// [`SecuredServer::address`] returns it.
    ///
    /// # Errors
    ///
    /// Returns an error if the certificate cannot be used, or the address is not available.
    pub async fn listen(self, address: SocketAddr) -> Result<SecuredServer, HealthError> {
        let tls = |source: rustls::Error| HealthError::Tls(Box::new(source));
        // The provider is chosen here and not installed for the process: the operator may prefer another one.
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(tls)?
            .with_no_client_auth();
        let mut certificates = None;
        let mut config = match &self.certificates {
            Some(folder) => {
                let loaded = Certificates::load(folder, provider, self.metrics.certificate())
                    .map_err(|source| HealthError::Tls(Box::new(source)))?;
                let loaded = certificates.insert(Arc::new(loaded));
                config.with_cert_resolver(Arc::clone(loaded) as Arc<_>)
            }
            None => {
                tracing::info!("the metrics have a self-signed certificate, which clients cannot verify");
                let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()])
                    .map_err(|source| HealthError::Tls(Box::new(source)))?;
                let key = PrivatePkcs8KeyDer::from(signed.signing_key.serialize_der());
                let chain = vec![signed.cert.der().clone()];
                config
                    .with_single_cert(chain, PrivateKeyDer::from(key))
                    .map_err(tls)?
            }
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let mut http = auto::Builder::new(TokioExecutor::new());
        http.http1()
            .timer(TokioTimer::new())
            .header_read_timeout(REQUEST_TIMEOUT)
            .max_buf_size(MAX_HEAD_BYTES);
        if self.http2 {
            config.alpn_protocols.insert(0, b"h2".to_vec());
        } else {
            http = http.http1_only();
        }
        // A resumed session would not see a new certificate.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        let acceptor = Acceptor::bind(address, MAX_CONNECTIONS)
            .await
            .map_err(|source| HealthError::Listen { address, source })?;
        Ok(SecuredServer {
            acceptor,
            certificates,
            certificate_interval: self.certificate_interval,
            connections: Arc::new(Connections {
                tls: TlsAcceptor::from(Arc::new(config)),
                http,
                reviewer: Reviewer::new(self.client),
                content: Content::Metrics(self.metrics),
            }),
        })
    }
}

impl fmt::Debug for Secured {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Secured")
            .field("certificates", &self.certificates)
            .field("http2", &self.http2)
            .finish_non_exhaustive()
    }
}

/// A server that listens at its address. [`SecuredServer::serve`] runs it.
pub struct SecuredServer {
    acceptor: Acceptor,
    certificates: Option<Arc<Certificates>>,
    certificate_interval: Duration,
    connections: Arc<Connections>,
}

impl SecuredServer {
    /// Returns the address at which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.acceptor.address()
    }

    /// Serves requests until `stop` ends, and finishes running requests.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let Self {
            acceptor,
            certificates,
            certificate_interval,
            connections,
        } = self;
        let reload = async {
            match certificates {
                Some(certificates) => watch_certificates(certificates, certificate_interval).await,
                None => std::future::pending().await,
            }
        };
        let serve = |stream, slot| Arc::clone(&connections).serve(stream, slot);
        tokio::select! {
            () = acceptor.run(stop, GOODBYE, serve) => {}
            () = reload => {}
        }
    }
}

impl fmt::Debug for SecuredServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SecuredServer")
            .field("address", &self.address())
            .finish_non_exhaustive()
    }
}

/// The parts that all connections share.
struct Connections {
    tls: TlsAcceptor,
    http: auto::Builder<TokioExecutor>,
    reviewer: Reviewer,
    content: Content,
}

impl Connections {
    async fn serve(self: Arc<Self>, stream: TcpStream, slot: Slot) {
        if let Err(reason) = self.try_serve(stream, &slot).await {
            tracing::debug!(reason, "a connection to the server for metrics ended");
        }
    }

    async fn try_serve(self: &Arc<Self>, stream: TcpStream, slot: &Slot) -> Result<(), String> {
        let stream = tokio::select! {
            stream = self.tls.accept(stream) => stream.map_err(|error| format!("the TLS handshake failed: {error}"))?,
            () = slot.evicted() => return Err("another connection needed its place".to_owned()),
            () = slot.closing() => return Err("no TLS handshake before the end".to_owned()),
            () = tokio::time::sleep(REQUEST_TIMEOUT) => return Err("no TLS handshake in time".to_owned()),
        };
        let answer = service_fn(|request| {
            let mut in_request = slot.begin();
            in_request.complete();
            let connections = Arc::clone(self);
            async move {
                let answer = connections.answer(&request).await;
                drop(in_request);
                Ok::<_, Infallible>(answer)
            }
        });
        let connection = self.http.serve_connection(TokioIo::new(stream), answer);
        drive(connection, slot, REQUEST_TIMEOUT).await
    }

    async fn answer(&self, request: &Request<Incoming>) -> Response<TextBody> {
        // There is nothing to protect at other paths.
        if request.uri().path().trim_matches('/') == "metrics"
            && let Err(refusal) = self.reviewer.review(request).await
        {
            return text(refusal.status, refusal.message);
        }
        self.content.answer(request)
    }
}
