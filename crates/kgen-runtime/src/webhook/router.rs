//! Routes an HTTP request to a handler, and rejects all other requests with a clear response.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::FutureExt as _;
use http_body_util::Full;
use hyper::body::{Body, Bytes};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use tokio::time::Instant;

use super::answer::{failure, http_error, json};
use super::conversion;
use super::deadline::patience;
use super::handler::{Handler, Judgment};
use super::review::{self, Incoming, Outgoing};
use crate::Causes;
use crate::conversion::review::Conversions;
use crate::error::panic_text;
use crate::manager::BoxError;
use crate::metrics::WebhookMetrics;
use crate::serve::{BodyError, Budget, InRequest, Received, read_body};

/// All webhooks of a server, by path.
pub(super) struct Router {
    pub(super) routes: BTreeMap<String, Route>,
    pub(super) budget: Budget,
    pub(super) timeout: Option<Duration>,
}

/// One webhook.
pub(super) struct Route {
    pub(super) service: Service,
    pub(super) max_body_bytes: usize,
    pub(super) metrics: WebhookMetrics,
}

/// The code that answers the requests of a webhook.
pub(super) enum Service {
    Admission(Box<dyn Handler>),
    Conversion(Arc<Conversions>),
}

type Answer = Response<Full<Bytes>>;

impl Router {
    /// Answers a request, whatever it is. A request without a connection comes from this process.
    pub(super) async fn answer<B>(&self, request: Request<B>, in_request: Option<InRequest>) -> Answer
    where
        B: Body<Data = Bytes>,
        B::Error: Into<BoxError>,
    {
        let path = request.uri().path();
        let Some(route) = self.routes.get(path) else {
            return self.not_found(path);
        };
        let _in_flight = route.metrics.begin();
        let started = Instant::now();
        let answer = self.answer_at(route, request, in_request).await;
        route.metrics.done(answer.status().as_u16(), started.elapsed());
        answer
    }

    async fn answer_at<B>(
        &self,
        route: &Route,
        request: Request<B>,
        mut in_request: Option<InRequest>,
    ) -> Answer
    where
        B: Body<Data = Bytes>,
        B::Error: Into<BoxError>,
    {
        if let Some(refusal) = refuse_head(&request) {
            return refusal;
        }
        let path = request.uri().path().to_owned();
        let patience = patience(request.uri().query(), self.timeout);
        let deadline = Instant::now() + patience;
        let limit = route.max_body_bytes;
        let body = match self.read(request.into_body(), limit, deadline).await {
            Ok(body) => body,
            Err(refusal) => return *refusal,
        };
        if let Some(in_request) = &mut in_request {
            in_request.complete();
        }
        let handler = match &route.service {
            Service::Admission(handler) => handler,
            Service::Conversion(conversions) => {
                let conversions = Arc::clone(conversions);
                return conversion::answer(conversions, body, (deadline, patience), &route.metrics).await;
            }
        };
        let incoming = match review::read(&body) {
            Ok(incoming) => incoming,
            Err(problem) => return http_error(StatusCode::BAD_REQUEST, "BadRequest", problem),
        };
        let handling = AssertUnwindSafe(handler.judge(&incoming)).catch_unwind();
        let judgment = match tokio::time::timeout_at(deadline, handling).await {
            Ok(Ok(judgment)) => judgment,
            Ok(Err(panic)) => {
                route.metrics.panics.inc();
                let message = format!("the webhook panicked: {}", panic_text(&*panic));
                tracing::error!(path, uid = incoming.request.uid, message);
                Judgment::denied(failure(500, "InternalError", message))
            }
            Err(_) => {
                let message = format!("the webhook did not decide within {} ms", patience.as_millis());
                tracing::warn!(path, uid = incoming.request.uid, message);
                Judgment::denied(failure(504, "Timeout", message))
            }
        };
        json(StatusCode::OK, &outgoing(&incoming, judgment))
    }

    async fn read<B>(&self, body: B, limit: usize, deadline: Instant) -> Result<Received, Box<Answer>>
    where
        B: Body<Data = Bytes>,
        B::Error: Into<BoxError>,
    {
        let error = match read_body(body, limit, deadline, &self.budget).await {
            Ok(body) => return Ok(body),
            Err(error) => error,
        };
        let (code, reason, message) = match error {
            BodyError::TooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "RequestEntityTooLarge",
                format!("the body has more than {limit} bytes"),
            ),
            BodyError::Late => (
                StatusCode::REQUEST_TIMEOUT,
                "Timeout",
                "the body did not arrive in time".to_owned(),
            ),
            BodyError::GivenUp => (
                StatusCode::REQUEST_TIMEOUT,
                "Timeout",
                "the body made no progress, and other requests needed its memory".to_owned(),
            ),
            BodyError::NoMemory => (
                StatusCode::SERVICE_UNAVAILABLE,
                "ServiceUnavailable",
                "other requests use all memory for bodies".to_owned(),
            ),
            BodyError::Broken(error) => (
                StatusCode::BAD_REQUEST,
                "BadRequest",
                format!("the body cannot be read: {}", Causes(&*error)),
            ),
        };
        Err(Box::new(http_error(code, reason, message)))
    }

    fn not_found(&self, path: &str) -> Answer {
        let known: Vec<&str> = self.routes.keys().map(String::as_str).collect();
        let message = format!(
            "there is no webhook at {path:?}; known paths: {}",
            known.join(", ")
        );
        http_error(StatusCode::NOT_FOUND, "NotFound", message)
    }
}

impl fmt::Debug for Router {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.routes.keys()).finish()
    }
}

/// Returns the answer to a request whose method or content type is wrong.
fn refuse_head<B>(request: &Request<B>) -> Option<Answer> {
    if request.method() != Method::POST {
        let message = format!("only POST is answered here, not {}", request.method());
        let mut refusal = http_error(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", message);
        refusal
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static("POST"));
        return Some(refusal);
    }
    let content_type = request.headers().get(CONTENT_TYPE);
    let content_type = content_type
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return None;
    }
    let message = format!("the content type must be application/json, not {content_type:?}");
    Some(http_error(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "UnsupportedMediaType",
        message,
    ))
}

fn outgoing<'a>(incoming: &'a Incoming<'_>, judgment: Judgment) -> Outgoing<'a> {
    let patch = judgment.patch.map(|patch| STANDARD.encode(patch));
    review::Response {
        uid: &incoming.request.uid,
        allowed: judgment.denial.is_none(),
        status: judgment.denial,
        patch_type: patch.is_some().then_some("JSONPatch"),
        patch,
        audit_annotations: judgment.audit_annotations,
        warnings: judgment.warnings,
    }
    .into()
}
