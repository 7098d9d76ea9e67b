//! From an HTTP request to a handler and back: what is not a request for one of them is refused here, with a clear answer.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::FutureExt as _;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use tokio::time::Instant;

use super::answer::{failure, http_error, json};
use super::deadline::patience;
use super::handler::{Handler, Judgement};
use super::review::{self, Incoming, Outgoing};
use crate::metrics::WebhookMetrics;

/// All webhooks of a server, by path.
pub(super) struct Router {
    pub(super) routes: BTreeMap<String, Route>,
    pub(super) max_body_bytes: usize,
    pub(super) timeout: Option<Duration>,
}

/// One webhook.
pub(super) struct Route {
    pub(super) handler: Box<dyn Handler>,
    pub(super) metrics: WebhookMetrics,
}

type Answer = Response<Full<Bytes>>;

impl Router {
    /// Answers a request, whatever it is.
    pub(super) async fn answer<B>(&self, request: Request<B>) -> Answer
    where
        B: Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let path = request.uri().path();
        let Some(route) = self.routes.get(path) else {
            return self.not_found(path);
        };
        let _in_flight = route.metrics.begin();
        let started = Instant::now();
        let answer = self.answer_at(route, request).await;
        route.metrics.done(answer.status().as_u16(), started.elapsed());
        answer
    }

    async fn answer_at<B>(&self, route: &Route, request: Request<B>) -> Answer
    where
        B: Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if let Some(refusal) = refuse_head(&request) {
            return refusal;
        }
        let path = request.uri().path().to_owned();
        let patience = patience(request.uri().query(), self.timeout);
        let deadline = Instant::now() + patience;
        let body = match self.read(request.into_body(), deadline).await {
            Ok(body) => body,
            Err(refusal) => return *refusal,
        };
        let incoming = match review::read(&body) {
            Ok(incoming) => incoming,
            Err(problem) => return http_error(StatusCode::BAD_REQUEST, "BadRequest", problem),
        };
        let handling = AssertUnwindSafe(route.handler.judge(&incoming)).catch_unwind();
        let judgement = match tokio::time::timeout_at(deadline, handling).await {
            Ok(Ok(judgement)) => judgement,
            Ok(Err(panic)) => {
                route.metrics.panics.inc();
                let message = format!("the webhook panicked: {}", panic_text(&*panic));
                tracing::error!(path, uid = incoming.request.uid, message);
                Judgement::denied(failure(500, "InternalError", message))
            }
            Err(_) => {
                let message = format!("the webhook did not decide within {} ms", patience.as_millis());
                tracing::warn!(path, uid = incoming.request.uid, message);
                Judgement::denied(failure(504, "Timeout", message))
            }
        };
        json(StatusCode::OK, &outgoing(&incoming, judgement))
    }

    async fn read<B>(&self, body: B, deadline: Instant) -> Result<Bytes, Box<Answer>>
    where
        B: Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let limit = self.max_body_bytes;
        let refuse = |code, reason, message| Err(Box::new(http_error(code, reason, message)));
        let too_large = || {
            let message = format!("the body has more than {limit} bytes");
            refuse(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", message)
        };
        if body.size_hint().lower() > u64::try_from(limit).unwrap_or(u64::MAX) {
            return too_large();
        }
        match tokio::time::timeout_at(deadline, Limited::new(body, limit).collect()).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => too_large(),
            Ok(Err(error)) => {
                let message = format!("the body cannot be read: {error}");
                refuse(StatusCode::BAD_REQUEST, "BadRequest", message)
            }
            Err(_) => {
                let message = "the body did not come in time".to_owned();
                refuse(StatusCode::REQUEST_TIMEOUT, "Timeout", message)
            }
        }
    }

    fn not_found(&self, path: &str) -> Answer {
        let known: Vec<&str> = self.routes.keys().map(String::as_str).collect();
        let message = format!("there is no webhook at {path:?}; there are: {}", known.join(", "));
        http_error(StatusCode::NOT_FOUND, "NotFound", message)
    }
}

impl fmt::Debug for Router {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.routes.keys()).finish()
    }
}

/// The answer to a request whose method or content type is wrong.
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

fn outgoing<'a>(incoming: &'a Incoming<'_>, judgement: Judgement) -> Outgoing<'a> {
    let patch = judgement.patch.map(|patch| STANDARD.encode(patch));
    review::Response {
        uid: &incoming.request.uid,
        allowed: judgement.denial.is_none(),
        status: judgement.denial,
        patch_type: patch.is_some().then_some("JSONPatch"),
        patch,
        audit_annotations: judgement.audit_annotations,
        warnings: judgement.warnings,
    }
    .into()
}

/// What the panic said, if it said something.
fn panic_text(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "no message"
    }
}
