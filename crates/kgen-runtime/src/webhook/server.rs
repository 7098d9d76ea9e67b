//! The webhook server and its settings.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kube::Resource as _;
use rustls::ServerConfig;
use rustls::server::NoServerSessionStorage;
use thiserror::Error;
use tokio_rustls::TlsAcceptor;

use super::certificates::{CertificateError, Certificates};
use super::connection::Connections;
use super::handler::{Defaulting, Handler, Validating};
use super::in_process::InProcess;
use super::router::{Route, Router, Service};
use super::{Defaulter, Validator};
use crate::conversion::review::Conversions;
use crate::conversion::{Conversion, ConversionError};
use crate::metrics::Metrics;
use crate::serve::{Acceptor, Budget};

/// The default folder of the certificate, which the manifests of most operators use.
pub const DEFAULT_CERTIFICATES: &str = "/tmp/k8s-webhook-server/serving-certs";

/// The API server accepts bodies of 3 MiB, and the review of an update has the old and the new object; 1 MiB is for the
/// rest of the review.
const MAX_BODY_BYTES: usize = 7 * 1024 * 1024;
/// A conversion review can have many objects: the API server may convert whole lists in one request. Each object is converted
/// and written before the next one is read, so a review needs memory for itself, its answer and one object.
const MAX_REVIEW_BYTES: usize = 64 * 1024 * 1024;
/// The path of conversions, as in controller-runtime.
const CONVERT: &str = "/convert";
/// Memory for all bodies together. The pod of a new project has a limit of 128 MiB; an object needs several times the
/// memory of its text while it is handled.
const MAX_BODY_MEMORY: usize = 4 * MAX_BODY_BYTES;
/// Each API server has few connections. A connection needs up to 200 KiB for TLS and HTTP.
const MAX_CONNECTIONS: usize = 256;
/// How often the certificate is checked. kubelet takes a minute to update it.
const CERTIFICATE_INTERVAL: Duration = Duration::from_secs(5);
/// How long requests may take at the end if handlers do not have their own timeout: the maximum timeout of the API
/// server.
const LONGEST_REQUEST: Duration = Duration::from_secs(30);
/// How long sending the last responses may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// The reason why the server could not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// The certificate cannot be used.
    #[error("the webhook server has no certificate")]
    Certificate(#[from] CertificateError),
    /// The address is not available.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: std::io::Error,
    },
    /// Two webhooks have the same path, or a path does not start with `/`.
    #[error("{path:?} cannot be the path of a webhook: {reason}")]
    Path {
        /// The path.
        path: String,
        /// The reason.
        reason: &'static str,
    },
    /// The table of a conversion is wrong, or a kind has two conversions.
    #[error(transparent)]
    Conversion(#[from] ConversionError),
    /// TLS cannot be set up.
    #[error("TLS cannot be set up")]
    Tls(#[source] rustls::Error),
}

/// The settings of a server. See [`WebhookServer::builder`].
#[must_use = "nothing is served before `listen` and `serve`"]
pub struct WebhookServerBuilder {
    handlers: Vec<(String, Box<dyn Handler>)>,
    conversions: BTreeMap<String, Vec<Conversion>>,
    certificates: PathBuf,
    certificate_interval: Duration,
    metrics: Metrics,
    max_body_bytes: usize,
    max_body_memory: usize,
    max_connections: usize,
    handler_timeout: Option<Duration>,
}

impl WebhookServerBuilder {
    /// Sets the folder with `tls.crt` and `tls.key`, as in a mounted Secret. The default is [`DEFAULT_CERTIFICATES`]. The files
    /// are reloaded when they change.
    pub fn certificates(mut self, folder: impl Into<PathBuf>) -> Self {
        self.certificates = folder.into();
        self
    }

    /// Sets how often the server checks whether the certificate has changed. The default is every five seconds.
    pub fn certificate_interval(mut self, interval: Duration) -> Self {
        self.certificate_interval = interval;
        self
    }

    /// Sets the registry of the metrics.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.metrics = metrics.clone();
        self
    }

    /// Serves a defaulter at the path of its kind, which is the one that `kgen webhook` expects:
    /// `/mutate-GROUP-VERSION-KIND`.
    pub fn defaulting<D: Defaulter>(self, defaulter: D) -> Self {
        let path = kgen_webhook_path::mutating(
            &D::Object::group(&()),
            &D::Object::version(&()),
            &D::Object::kind(&()),
        );
        self.defaulting_at(path, defaulter)
    }

    /// Serves a validator at the path of its kind: `/validate-GROUP-VERSION-KIND`.
    pub fn validating<V: Validator>(self, validator: V) -> Self {
        let path = kgen_webhook_path::validating(
            &V::Object::group(&()),
            &V::Object::version(&()),
            &V::Object::kind(&()),
        );
        self.validating_at(path, validator)
    }

    /// Serves a defaulter at another path, for a marker with that path.
    pub fn defaulting_at<D: Defaulter>(self, path: impl Into<String>, defaulter: D) -> Self {
        self.at(path.into(), Box::new(Defaulting(defaulter)))
    }

    /// Serves a validator at another path, for a marker with that path.
    pub fn validating_at<V: Validator>(self, path: impl Into<String>, validator: V) -> Self {
        self.at(path.into(), Box::new(Validating(validator)))
    }

    /// Serves the conversion between the versions of a kind at `/convert`, together with those of other kinds.
    ///
    /// Objects of other versions cannot be read while the conversion is not served, so the operator needs two replicas
    /// and a disruption budget.
    pub fn converting(self, conversion: Conversion) -> Self {
        self.converting_at(CONVERT, conversion)
    }

    /// Serves the conversion between the versions of a kind at another path, for a marker that states one.
    pub fn converting_at(mut self, path: impl Into<String>, conversion: Conversion) -> Self {
        self.conversions.entry(path.into()).or_default().push(conversion);
        self
    }

    fn at(mut self, path: String, handler: Box<dyn Handler>) -> Self {
        self.handlers.push((path, handler));
        self
    }

    /// Sets the maximum size of a request. The default is 7 MiB, which is enough for two objects of the largest size that the
    /// API server accepts. The response to larger requests is 413.
    /// Reviews of conversions can have 64 MiB.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// Sets the memory for the bodies of all requests. The default is 28 MiB, and the minimum is the maximum size of a request:
    /// 64 MiB if conversions are served.
    ///
    /// If it is used up, the incomplete body that has made no progress for longest is dropped, with the response 408. If all
    /// bodies are complete, a new request waits; after a timeout, its response is 503.
    pub fn max_body_memory(mut self, bytes: usize) -> Self {
        self.max_body_memory = bytes;
        self
    }

    /// Sets the maximum number of open connections. The default is 256. A further connection replaces the one that has been
    /// idle longest, or else the one whose request has been incomplete longest. It waits if all requests are being handled.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections.max(1);
        self
    }

    /// Sets the timeout of a handler. The default is the timeout of the API server, which is part of each request: 10 s, or
    /// `timeoutSeconds` of the webhook configuration. After the timeout, the request is denied and the future is dropped.
    pub fn handler_timeout(mut self, timeout: Duration) -> Self {
        self.handler_timeout = Some(timeout);
        self
    }

    /// Loads the certificate and binds the address. Port 0 chooses a free port; see [`WebhookServer::address`].
    ///
    /// # Errors
    ///
    /// Returns an error if the certificate cannot be used, two webhooks have the same path, the table of a
    /// conversion is wrong, or the address is not available.
    pub async fn listen(self, address: SocketAddr) -> Result<WebhookServer, WebhookError> {
        let (folder, metrics) = (self.certificates.clone(), self.metrics.clone());
        let (max_connections, certificate_interval) = (self.max_connections, self.certificate_interval);
        let grace = self.handler_timeout.unwrap_or(LONGEST_REQUEST) + GOODBYE;
        let router = self.router()?;
        let (tls, certificates) = tls(&folder, &metrics)?;
        let failed = |source| WebhookError::Listen { address, source };
        let acceptor = Acceptor::bind(address, max_connections).await.map_err(failed)?;
        Ok(WebhookServer {
            acceptor,
            connections: Arc::new(Connections::new(tls, Arc::new(router))),
            certificates,
            certificate_interval,
            grace,
        })
    }

    /// Returns the webhooks as a service of hyper, without a port and without a certificate. Tests call it; for example,
    /// `kgen-fake` lets it answer the reviews of its webhook configurations.
    ///
    /// # Errors
    ///
    /// Returns an error if two webhooks have the same path, or the table of a conversion is wrong.
    pub fn in_process(self) -> Result<InProcess, WebhookError> {
        let router = Arc::new(self.router()?);
        Ok(InProcess { router })
    }

    fn router(self) -> Result<Router, WebhookError> {
        let routes = routes(
            self.handlers,
            self.conversions,
            self.max_body_bytes,
            &self.metrics,
        )?;
        let largest = routes.values().map(|route| route.max_body_bytes).max();
        let memory = self.max_body_memory.max(largest.unwrap_or_default());
        Ok(Router {
            routes,
            budget: Budget::new(memory, self.metrics.body_bytes()),
            timeout: self.handler_timeout,
        })
    }
}

impl fmt::Debug for WebhookServerBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths = self.handlers.iter().map(|(path, _)| path);
        let paths: Vec<&String> = paths.chain(self.conversions.keys()).collect();
        formatter
            .debug_struct("WebhookServerBuilder")
            .field("paths", &paths)
            .field("certificates", &self.certificates)
            .finish_non_exhaustive()
    }
}

/// Returns the webhooks by path.
fn routes(
    handlers: Vec<(String, Box<dyn Handler>)>,
    conversions: BTreeMap<String, Vec<Conversion>>,
    max_body_bytes: usize,
    metrics: &Metrics,
) -> Result<BTreeMap<String, Route>, WebhookError> {
    let mut services = Vec::new();
    for (path, handler) in handlers {
        services.push((path, Service::Admission(handler), max_body_bytes));
    }
    for (path, mut conversions) in conversions {
        conversions
            .iter_mut()
            .for_each(|conversion| conversion.observed_by(metrics));
        let conversions = Arc::new(Conversions::new(conversions)?);
        services.push((path, Service::Conversion(conversions), MAX_REVIEW_BYTES));
    }
    let mut routes = BTreeMap::new();
    for (path, service, max_body_bytes) in services {
        let reason = if routes.contains_key(&path) {
            Some("two webhooks have it")
        } else if !path.starts_with('/') {
            Some("it does not start with /")
        } else {
            None
        };
        if let Some(reason) = reason {
            return Err(WebhookError::Path { path, reason });
        }
        let metrics = match &service {
            Service::Admission(_) => metrics.webhook(&path),
            Service::Conversion(_) => metrics.conversion_webhook(&path),
        };
        let route = Route {
            service,
            max_body_bytes,
            metrics,
        };
        routes.insert(path, route);
    }
    Ok(routes)
}

/// Accepts TLS 1.2 and newer, with the certificate in the folder.
fn tls(folder: &Path, metrics: &Metrics) -> Result<(TlsAcceptor, Arc<Certificates>), WebhookError> {
    // The provider is chosen here and not installed for the process: the operator may prefer another one.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let certificates = Certificates::load(folder, Arc::clone(&provider), metrics.certificate())?;
    let certificates = Arc::new(certificates);
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(WebhookError::Tls)?
        .with_no_client_auth()
        .with_cert_resolver(Arc::clone(&certificates) as Arc<_>);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    // The API server does not resume sessions, and a resumed session would not see a new certificate.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok((TlsAcceptor::from(Arc::new(config)), certificates))
}

/// A webhook server that listens at its address. [`WebhookServer::serve`] runs it.
///
/// See the example in [the module](super).
#[derive(Debug)]
pub struct WebhookServer {
    acceptor: Acceptor,
    connections: Arc<Connections>,
    certificates: Arc<Certificates>,
    certificate_interval: Duration,
    grace: Duration,
}

impl WebhookServer {
    /// Starts to configure a server.
    pub fn builder() -> WebhookServerBuilder {
        WebhookServerBuilder {
            handlers: Vec::new(),
            conversions: BTreeMap::new(),
            certificates: PathBuf::from(DEFAULT_CERTIFICATES),
            certificate_interval: CERTIFICATE_INTERVAL,
            metrics: Metrics::default(),
            max_body_bytes: MAX_BODY_BYTES,
            max_body_memory: MAX_BODY_MEMORY,
            max_connections: MAX_CONNECTIONS,
            handler_timeout: None,
        }
    }

    /// Returns the address at which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.acceptor.address()
    }

    /// Serves requests until `stop` ends. Then it rejects new connections, finishes running requests, closes all connections,
    /// and returns.
    ///
    /// When a pod ends, the API server can still send requests for a moment, until the endpoint is removed. Operators with
    /// several replicas should delay `stop` by some seconds.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let Self {
            acceptor,
            connections,
            certificates,
            certificate_interval,
            grace,
        } = self;
        let serve = |stream, slot| Arc::clone(&connections).serve(stream, slot);
        tokio::select! {
            () = acceptor.run(stop, grace, serve) => {}
            () = watch_certificates(certificates, certificate_interval) => {}
        }
    }
}

/// Checks the certificate periodically.
pub(crate) async fn watch_certificates(certificates: Arc<Certificates>, interval: Duration) {
    loop {
        tokio::time::sleep(interval).await;
        let certificates = Arc::clone(&certificates);
        // Reading files may block, and a failed read is not reported.
        let _ = tokio::task::spawn_blocking(move || certificates.refresh()).await;
    }
}
