//! Exports the spans of a program to OpenTelemetry. Needs the feature `otel`.
//!
//! The manager makes a span `reconcile` for each reconciliation, with the fields `controller`, `object` and `attempt`, and the
//! events of the reconciler are inside it. A [`Telemetry`] turns them into spans of OpenTelemetry and sends them in batches, from
//! a thread of its own: a collector that is slow or missing does not delay a reconciliation.
//!
//! Spans are sent with OTLP over HTTP, to a collector in the cluster that forwards them. `OTEL_RESOURCE_ATTRIBUTES` adds
//! attributes, and `OTEL_TRACES_SAMPLER` with `OTEL_TRACES_SAMPLER_ARG` selects the spans, as in every language.

use std::future::{Future, ready};
use std::pin::Pin;
use std::time::Duration;

use http::header::HOST;
use http::uri::Scheme;
use http::{HeaderValue, Uri};
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, SpanExporter};
use thiserror::Error;
use tokio::net::TcpStream;
use tracing::Subscriber;
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::registry::LookupSpan;

/// How long a collector may take to accept a batch.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The longest answer of a collector.
const LONGEST: usize = 64 * 1024;

/// The name of the library in spans.
const LIBRARY: &str = "kgen-runtime";

/// An error of [`Telemetry`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TelemetryError {
    /// The address of the collector cannot be used.
    #[error("{endpoint:?} is not the address of a collector: {reason}")]
    Endpoint {
        /// The address.
        endpoint: String,
        /// Why it cannot be used.
        reason: String,
    },
    /// The last spans could not be sent.
    #[error("the last spans could not be sent: {0}")]
    Unsent(String),
}

/// Exports spans until it is [finished](Self::finish).
///
/// ```no_run
/// use kgen_runtime::telemetry::Telemetry;
/// use tracing_subscriber::layer::SubscriberExt;
/// use tracing_subscriber::util::SubscriberInitExt;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let telemetry = Telemetry::to_collector("foo-operator", "http://collector.observability:4318")?;
/// tracing_subscriber::registry().with(telemetry.layer()).init();
/// // Runs the operator.
/// telemetry.finish()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "it exports nothing without its layer"]
pub struct Telemetry {
    provider: SdkTracerProvider,
}

impl Telemetry {
    /// Sends the spans of the program `name` to a collector, such as `http://collector.observability:4318`, to which the path
    /// `/v1/traces` is added.
    ///
    /// # Errors
    ///
    /// Fails if `endpoint` is not a URL with the scheme `http`. Whether anything answers there is not checked.
    pub fn to_collector(name: impl Into<String>, endpoint: &str) -> Result<Self, TelemetryError> {
        let refused = |reason: String| TelemetryError::Endpoint {
            endpoint: endpoint.to_owned(),
            reason,
        };
        let address: Uri = endpoint.parse().map_err(|error| refused(format!("{error}")))?;
        if address.scheme() != Some(&Scheme::HTTP) || address.host().is_none() {
            return Err(refused(
                "it must begin with `http://`; a collector in the cluster forwards with TLS".to_owned(),
            ));
        }
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(Collector)
            .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            .with_timeout(TIMEOUT)
            .build()
            .map_err(|error| refused(error.to_string()))?;
        Ok(Self::with_exporter(name, exporter))
    }

    /// Gives the spans of the program `name` to an exporter.
    pub fn with_exporter(name: impl Into<String>, exporter: impl SpanExporter + 'static) -> Self {
        let name: String = name.into();
        let provider = SdkTracerProvider::builder()
            .with_resource(Resource::builder().with_service_name(name).build())
            .with_batch_exporter(exporter)
            .build();
        Self { provider }
    }

    /// Returns the layer that a subscriber needs. Filters of the subscriber decide which spans it sees.
    pub fn layer<S: Subscriber + for<'s> LookupSpan<'s>>(&self) -> OpenTelemetryLayer<S, SdkTracer> {
        tracing_opentelemetry::layer().with_tracer(self.provider.tracer(LIBRARY))
    }

    /// Sends the remaining spans. Blocks for a few seconds at most.
    ///
    /// # Errors
    ///
    /// Fails if they could not be sent.
    pub fn finish(self) -> Result<(), TelemetryError> {
        // The end alone does not tell whether they were sent.
        let sent = self.provider.force_flush();
        let ended = self.provider.shutdown();
        sent.and(ended)
            .map_err(|error| TelemetryError::Unsent(error.to_string()))
    }
}

/// Sends batches, on the thread that makes them.
#[derive(Debug)]
struct Collector;

impl HttpClient for Collector {
    fn send_bytes<'c, 'f>(
        &'c self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'f>>
    where
        'c: 'f,
        Self: 'f,
    {
        Box::pin(ready(send(request)))
    }
}

fn send(request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    // The runtime of the program may have ended already when the last batch is sent.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async { tokio::time::timeout(TIMEOUT, exchange(request)).await? })
}

async fn exchange(mut request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let uri = std::mem::take(request.uri_mut());
    let authority = uri.authority().ok_or("the URL has no host")?;
    let host = authority.host().trim_matches(['[', ']']);
    let stream = TcpStream::connect((host, authority.port_u16().unwrap_or(80))).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    *request.uri_mut() = path.parse()?;
    request
        .headers_mut()
        .insert(HOST, HeaderValue::from_str(authority.as_str())?);
    let response = sender.send_request(request.map(Full::new)).await?;
    let (head, body) = response.into_parts();
    let body = Limited::new(body, LONGEST).collect().await?.to_bytes();
    Ok(Response::from_parts(head, body))
}
