//! Small HTTP servers: one for `/healthz` and `/readyz`, and one for `/metrics`.
//!
//! They speak plain HTTP without authentication, as the kubelet expects. Each has its own port, so that the clients of
//! one cannot delay the other. The metrics are readable for every client that can reach their port;
//! `Metrics::secured`, with the feature `webhook`, protects them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use thiserror::Error;
use tokio::net::TcpStream;

use crate::metrics::{Format, Metrics};
use crate::serve::{Acceptor, Slot, drive};

/// The limit of open connections. A scraper or the kubelet does not need more, and an open port must not use up the file
/// descriptors of the process.
pub(crate) const MAX_CONNECTIONS: usize = 64;
/// The time that a client has to send a request, and the time that a connection can be idle.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest head of a request.
pub(crate) const MAX_HEAD_BYTES: usize = 16 * 1024;
/// The time that open requests have to finish at the end.
const GOODBYE: Duration = Duration::from_secs(1);

/// A check. It returns the reason of a failure, or a text that `?verbose` shows, which can be empty.
type Check = Arc<dyn Fn() -> Result<String, String> + Send + Sync>;

/// The reason why a server could not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HealthError {
    /// The address is not available.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: std::io::Error,
    },
    /// The certificate of the metrics cannot be used.
    #[cfg(feature = "webhook")]
    #[error("cannot serve metrics over TLS")]
    Tls(#[source] crate::manager::BoxError),
}

/// The probes of a process.
///
/// `/healthz` and `/readyz` answer 200 and `ok` if all of their checks pass, otherwise 500 and one line per check. `?verbose`
/// returns the lines in any case. `/healthz/<name>` runs a single check. Without any check they pass.
///
/// ```
/// use kgen_runtime::health::Health;
/// use kgen_runtime::metrics::Metrics;
/// use kgen_runtime::shutdown::Shutdown;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let shutdown = Shutdown::default(); // in `main`: `Shutdown::on_signals()?`
/// let synced = Arc::new(AtomicBool::new(false));
/// let probes = Health::default()
///     .ready("caches", {
///         let synced = Arc::clone(&synced);
///         move || if synced.load(Ordering::Relaxed) { Ok(()) } else { Err("not synced".to_owned()) }
///     })
///     .listen(([127, 0, 0, 1], 0).into()) // in a pod: `([0, 0, 0, 0], 8081)`
///     .await?;
/// let metrics = Metrics::default()
///     .listen(([127, 0, 0, 1], 0).into()) // in a pod: `([0, 0, 0, 0], 8080)`
///     .await?;
/// let serving = [
///     tokio::spawn(probes.serve(shutdown.token().cancelled_owned())),
///     tokio::spawn(metrics.serve(shutdown.token().cancelled_owned())),
/// ];
/// // …
/// shutdown.signal();
/// for server in serving {
///     server.await?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Health {
    live: BTreeMap<String, Check>,
    ready: BTreeMap<String, Check>,
}

impl Health {
    /// Adds a check of `/healthz`: if it fails repeatedly, the process should be restarted. It is called for each request, and
    /// must not block.
    pub fn live(
        mut self,
        name: impl Into<String>,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.live
            .insert(name.into(), Arc::new(move || check().map(|()| String::new())));
        self
    }

    /// Adds a check of `/readyz`: while it fails, the process should get no traffic. It is called for each request, and must
    /// not block.
    pub fn ready(
        self,
        name: impl Into<String>,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.ready_with_details(name, move || check().map(|()| String::new()))
    }

    /// Like [`Health::ready`], for a check that also returns a text if it passes: `/readyz?verbose` shows its lines.
    pub fn ready_with_details(
        mut self,
        name: impl Into<String>,
        check: impl Fn() -> Result<String, String> + Send + Sync + 'static,
    ) -> Self {
        self.ready.insert(name.into(), Arc::new(check));
        self
    }

    /// Listens at the address. With port 0 the system chooses the port, and [`Server::address`] returns it.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not available.
    pub async fn listen(self, address: SocketAddr) -> Result<Server, HealthError> {
        Server::bind(address, Content::Probes(self)).await
    }
}

impl fmt::Debug for Health {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Health")
            .field("live", &self.live.keys())
            .field("ready", &self.ready.keys())
            .finish()
    }
}

impl Metrics {
    /// Listens at the address, for `/metrics` in Prometheus' text format, or in OpenMetrics if the client accepts it. With port
    /// 0 the system chooses the port, and [`Server::address`] returns it.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not available.
    pub async fn listen(&self, address: SocketAddr) -> Result<Server, HealthError> {
        Server::bind(address, Content::Metrics(self.clone())).await
    }
}

/// The paths that a server answers.
#[derive(Debug)]
pub(crate) enum Content {
    Probes(Health),
    Metrics(Metrics),
}

impl Content {
    pub(crate) fn answer(&self, request: &Request<Incoming>) -> Response<TextBody> {
        if request.method() != Method::GET && request.method() != Method::HEAD {
            let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n".to_owned());
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response;
        }
        let verbose = request
            .uri()
            .query()
            .is_some_and(|query| query.split('&').any(|word| word == "verbose"));
        let mut words = request.uri().path().trim_matches('/').splitn(2, '/');
        match (self, words.next(), words.next()) {
            (Self::Metrics(metrics), Some("metrics"), None) => answer_metrics(metrics, request),
            (Self::Probes(health), Some("healthz"), name) => {
                answer_checks("healthz", &health.live, name, verbose)
            }
            (Self::Probes(health), Some("readyz"), name) => {
                answer_checks("readyz", &health.ready, name, verbose)
            }
            (Self::Metrics(_), ..) => not_found("only /metrics is served here\n"),
            (Self::Probes(_), ..) => not_found("only /healthz and /readyz are served here\n"),
        }
    }
}

fn answer_metrics(metrics: &Metrics, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let accepts_open_metrics = request
        .headers()
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("application/openmetrics-text"));
    let format = if accepts_open_metrics {
        Format::OpenMetrics
    } else {
        Format::Prometheus
    };
    let mut response = text(StatusCode::OK, metrics.encode(format));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    response
}

fn answer_checks(
    path: &str,
    checks: &BTreeMap<String, Check>,
    name: Option<&str>,
    verbose: bool,
) -> Response<Full<Bytes>> {
    if name.is_some_and(|name| !checks.contains_key(name)) {
        return not_found("there is no such check\n");
    }
    let mut failed = false;
    let mut lines = String::new();
    for (check_name, check) in checks {
        if name.is_some_and(|name| name != check_name) {
            continue;
        }
        match check() {
            Ok(details) => {
                lines.push_str(&format!("[+]{check_name} ok\n"));
                lines.extend(details.lines().map(|line| format!("    {line}\n")));
            }
            Err(reason) => {
                failed = true;
                lines.push_str(&format!("[-]{check_name} failed: {reason}\n"));
            }
        }
    }
    match (failed, verbose) {
        (true, _) => text(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("{lines}{path} check failed\n"),
        ),
        (false, true) => text(StatusCode::OK, format!("{lines}{path} check passed\n")),
        (false, false) => text(StatusCode::OK, "ok".to_owned()),
    }
}

fn not_found(reason: &str) -> Response<Full<Bytes>> {
    text(StatusCode::NOT_FOUND, reason.to_owned())
}

/// The body of an answer.
pub(crate) type TextBody = Full<Bytes>;

pub(crate) fn text(status: StatusCode, text: String) -> Response<TextBody> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response
}

/// A server that listens at its address. [`Server::serve`] runs it.
#[derive(Debug)]
pub struct Server {
    acceptor: Acceptor,
    content: Arc<Content>,
}

impl Server {
    async fn bind(address: SocketAddr, content: Content) -> Result<Self, HealthError> {
        let acceptor = Acceptor::bind(address, MAX_CONNECTIONS)
            .await
            .map_err(|source| HealthError::Listen { address, source })?;
        Ok(Self {
            acceptor,
            content: Arc::new(content),
        })
    }

    /// Returns the address at which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.acceptor.address()
    }

    /// Serves requests until `stop` ends, and finishes running requests.
    ///
    /// At most 64 connections are open. Another one replaces the one that has been idle longest.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let Self { acceptor, content } = self;
        let serve = |stream, slot| connection(stream, slot, Arc::clone(&content));
        acceptor.run(stop, GOODBYE, serve).await;
    }
}

async fn connection(stream: TcpStream, slot: Slot, content: Arc<Content>) {
    let answer = service_fn(|request| {
        let mut in_request = slot.begin();
        in_request.complete();
        let response = content.answer(&request);
        async move { Ok::<_, Infallible>(response) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), answer);
    if let Err(reason) = drive(connection, &slot, REQUEST_TIMEOUT).await {
        tracing::debug!(reason, "a connection to the server for probes and metrics ended");
    }
}
