//! The servers of webhooks, called in process.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::{Request, Response, header};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::service::Service;
use serde_json::Value;

/// A future of a webhook's answer.
pub type WebhookFuture<'w> = Pin<Box<dyn Future<Output = Result<Value, String>> + Send + 'w>>;

/// Answers admission reviews in process.
///
/// Functions from a path and an `AdmissionReview` to a future implement it.
pub trait WebhookHandler: Send + Sync + 'static {
    /// Answers a review that is sent to a path.
    fn call(&self, path: String, review: Value) -> WebhookFuture<'_>;
}

impl<F, A> WebhookHandler for F
where
    F: Fn(String, Value) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Value, String>> + Send + 'static,
{
    fn call(&self, path: String, review: Value) -> WebhookFuture<'_> {
        Box::pin(self(path, review))
    }
}

/// A server of webhooks: a [`WebhookHandler`], or a service of hyper. `Form` tells the two apart.
pub trait IntoWebhookHandler<Form> {
    /// Returns the handler.
    fn into_handler(self) -> Arc<dyn WebhookHandler>;
}

/// The form of a [`WebhookHandler`].
#[derive(Debug)]
pub struct ByHandler;

/// The form of a service of hyper.
#[derive(Debug)]
pub struct ByService;

impl<H: WebhookHandler> IntoWebhookHandler<ByHandler> for H {
    fn into_handler(self) -> Arc<dyn WebhookHandler> {
        Arc::new(self)
    }
}

impl<S> IntoWebhookHandler<ByService> for S
where
    S: Service<Request<Full<Bytes>>, Response = Response<Full<Bytes>>, Error = Infallible>
        + Send
        + Sync
        + 'static,
    S::Future: Send,
{
    fn into_handler(self) -> Arc<dyn WebhookHandler> {
        Arc::new(Served(self))
    }
}

/// A service of hyper as a handler.
struct Served<S>(S);

impl<S> WebhookHandler for Served<S>
where
    S: Service<Request<Full<Bytes>>, Response = Response<Full<Bytes>>, Error = Infallible>
        + Send
        + Sync
        + 'static,
    S::Future: Send,
{
    fn call(&self, path: String, review: Value) -> WebhookFuture<'_> {
        Box::pin(async move {
            // As the API server sends it: with the default timeout.
            let request = Request::post(format!("{path}?timeout=10s"))
                .header(header::CONTENT_TYPE, "application/json")
                .body(Full::new(Bytes::from(review.to_string())))
                .map_err(|error| error.to_string())?;
            let Ok(response) = self.0.call(request).await;
            let status = response.status();
            let body = response.into_body().collect().await;
            let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
            if !status.is_success() {
                let text = String::from_utf8_lossy(&body).into_owned();
                return Err(format!("the server answered {status}: {text}"));
            }
            serde_json::from_slice(&body).map_err(|error| error.to_string())
        })
    }
}
