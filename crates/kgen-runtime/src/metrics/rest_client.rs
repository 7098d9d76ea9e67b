//! The metrics of requests to the API server, with the names, labels and buckets of client-go and controller-runtime.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use http::{Request, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tower::{Layer, Service};

use super::Metrics;

/// The buckets of controller-runtime, in seconds.
const BUCKETS: [f64; 12] = [0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0];

/// The label of a request without an answer, as in client-go.
const NO_ANSWER: &str = "<error>";

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Requested {
    code: String,
    method: String,
    host: String,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Verb {
    verb: String,
    host: String,
}

/// The metrics of all clients.
#[derive(Clone, Debug)]
pub(super) struct Families {
    requests: Family<Requested, Counter>,
    duration: Family<Verb, Histogram, fn() -> Histogram>,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            requests: Family::default(),
            duration: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
        };
        registry.register(
            "rest_client_requests",
            "Requests to the API server, by status code, method and host",
            families.requests.clone(),
        );
        registry.register(
            "rest_client_request_duration_seconds",
            "Time until the head of the answer, by verb and host",
            families.duration.clone(),
        );
        families
    }
}

/// Counts the requests of a [`kube::Client`]. A [`Manager`](crate::manager::Manager) that connects adds it itself.
///
/// ```no_run
/// use kgen_runtime::metrics::Metrics;
/// use kube::client::ClientBuilder;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let metrics = Metrics::default();
/// let config = kube::Config::infer().await?;
/// let layer = metrics.rest_client(&config.cluster_url);
/// let client = ClientBuilder::try_from(config)?.with_layer(&layer).build();
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct RestClientLayer {
    families: Families,
    host: String,
}

impl Metrics {
    /// Returns a layer that counts requests (`rest_client_requests_total`) and measures them
    /// (`rest_client_request_duration_seconds`), for the server at `url`.
    pub fn rest_client(&self, url: &http::Uri) -> RestClientLayer {
        RestClientLayer {
            families: self.rest_client_families(),
            host: url.authority().map(ToString::to_string).unwrap_or_default(),
        }
    }
}

impl<S> Layer<S> for RestClientLayer {
    type Service = RestClient<S>;

    fn layer(&self, inner: S) -> RestClient<S> {
        RestClient {
            inner,
            layer: self.clone(),
        }
    }
}

/// A service that counts its requests. See [`RestClientLayer`].
#[derive(Clone, Debug)]
pub struct RestClient<S> {
    inner: S,
    layer: RestClientLayer,
}

impl<S, A, B> Service<Request<A>> for RestClient<S>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Future: Send + 'static,
{
    type Response = Response<B>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<B>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        let RestClientLayer { families, host } = self.layer.clone();
        let method = request.method().to_string();
        let began = Instant::now();
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await;
            let code = match &answer {
                Ok(answer) => answer.status().as_str().to_owned(),
                Err(_) => NO_ANSWER.to_owned(),
            };
            let verb = Verb {
                verb: method.clone(),
                host: host.clone(),
            };
            families
                .duration
                .get_or_create_owned(&verb)
                .observe(began.elapsed().as_secs_f64());
            families
                .requests
                .get_or_create_owned(&Requested { code, method, host })
                .inc();
            answer
        })
    }
}
