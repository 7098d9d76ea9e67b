//! A small HTTP server for `/metrics`, `/healthz` and `/readyz`.
//!
//! It speaks plain HTTP without authentication, as kubelet's probes expect. Who can reach the port can read the metrics.

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
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::metrics::{Format, Metrics};

/// No scraper needs more at once, and a port that anyone may reach must not use up the process' files.
const MAX_CONNECTIONS: usize = 64;
/// How long a client may take to send a request, and to keep an idle connection.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long open requests may take at the end.
const GOODBYE: Duration = Duration::from_secs(1);

/// Whether something is well, and if not, why.
///
/// If it is well, the text is shown to those who ask for details; it may be empty.
type Check = Arc<dyn Fn() -> Result<String, String> + Send + Sync>;

/// Why the server could not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HealthError {
    /// The address could not be had.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
}

/// What the server answers with.
///
/// - `/healthz` and `/readyz` answer 200 and `ok` if all of their checks pass, otherwise 500 and a line for each check.
///   `?verbose` gives the lines in any case. `/healthz/<name>` is one check alone. Without any check they pass.
/// - `/metrics` gives the metrics in Prometheus' text format, or in OpenMetrics if the client accepts it.
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
/// let server = Health::default()
///     .metrics(&Metrics::default())
///     .ready("caches", {
///         let synced = Arc::clone(&synced);
///         move || if synced.load(Ordering::Relaxed) { Ok(()) } else { Err("not synced".to_owned()) }
///     })
///     .listen(([127, 0, 0, 1], 0).into()) // in a pod: `([0, 0, 0, 0], 8080)`
///     .await?;
/// let serving = tokio::spawn(server.serve(shutdown.token().cancelled_owned()));
/// // …
/// shutdown.signal();
/// serving.await?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Health {
    metrics: Option<Metrics>,
    live: BTreeMap<String, Check>,
    ready: BTreeMap<String, Check>,
}

impl Health {
    /// Serves these metrics. Without, `/metrics` is not found.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.metrics = Some(metrics.clone());
        self
    }

    /// A check of `/healthz`: if it fails for long, the process should be started anew. It is called for each request, and must
    /// not block.
    pub fn live(
        mut self,
        name: impl Into<String>,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.live
            .insert(name.into(), Arc::new(move || check().map(|()| String::new())));
        self
    }

    /// A check of `/readyz`: while it fails, the process should get no traffic. It is called for each request, and must not
    /// block.
    pub fn ready(
        self,
        name: impl Into<String>,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.ready_with_details(name, move || check().map(|()| String::new()))
    }

    /// As [`Health::ready`], for a check that also has something to say if it passes: `/readyz?verbose` shows the lines of the
    /// text.
    pub fn ready_with_details(
        mut self,
        name: impl Into<String>,
        check: impl Fn() -> Result<String, String> + Send + Sync + 'static,
    ) -> Self {
        self.ready.insert(name.into(), Arc::new(check));
        self
    }

    /// Takes the address. Port 0 is a free one, which [`Server::address`] tells.
    pub async fn listen(self, address: SocketAddr) -> Result<Server, HealthError> {
        let failed = |source| HealthError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Server {
            listener,
            address,
            health: Arc::new(self),
        })
    }

    fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
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
        match (words.next(), words.next()) {
            (Some("metrics"), None) => self.answer_metrics(request),
            (Some("healthz"), name) => answer_checks("healthz", &self.live, name, verbose),
            (Some("readyz"), name) => answer_checks("readyz", &self.ready, name, verbose),
            _ => not_found(),
        }
    }

    fn answer_metrics(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        let Some(metrics) = &self.metrics else {
            return not_found();
        };
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
}

impl fmt::Debug for Health {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Health")
            .field("metrics", &self.metrics.is_some())
            .field("live", &self.live.keys())
            .field("ready", &self.ready.keys())
            .finish()
    }
}

fn answer_checks(
    path: &str,
    checks: &BTreeMap<String, Check>,
    name: Option<&str>,
    verbose: bool,
) -> Response<Full<Bytes>> {
    if name.is_some_and(|name| !checks.contains_key(name)) {
        return not_found();
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

fn not_found() -> Response<Full<Bytes>> {
    text(
        StatusCode::NOT_FOUND,
        "not found; there are /metrics, /healthz and /readyz\n".to_owned(),
    )
}

fn text(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response
}

/// A server that has its address and waits to be run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    health: Arc<Health>,
}

impl Server {
    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` ends; requests that are being answered then are finished.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let closing = CancellationToken::new();
        let mut connections = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept(), if connections.len() < MAX_CONNECTIONS => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(connection(stream, Arc::clone(&self.health), closing.clone()));
                    }
                    Err(error) => {
                        // Mostly too many open files. Trying again at once would only burn time.
                        tracing::warn!(%error, "cannot accept a connection");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        }
        closing.cancel();
        // What is not answered by then is dropped with the set.
        let _ = tokio::time::timeout(GOODBYE, async {
            while connections.join_next().await.is_some() {}
        })
        .await;
    }
}

async fn connection(stream: TcpStream, health: Arc<Health>, closing: CancellationToken) {
    let answer = service_fn(|request| {
        let response = health.answer(&request);
        async move { Ok::<_, Infallible>(response) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIMEOUT)
        .serve_connection(TokioIo::new(stream), answer);
    let mut connection = std::pin::pin!(connection);
    let result = tokio::select! {
        result = &mut connection => result,
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "connection to the health server ended");
    }
}
