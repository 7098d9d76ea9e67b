//! Webhooks without a port and without TLS, for tests.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::service::Service;
use hyper::{Request, Response};

use super::router::Router;

/// Answers the requests of webhooks in this process; created by
/// [`WebhookServerBuilder::in_process`](super::WebhookServerBuilder::in_process). Clones are the same webhooks.
#[derive(Clone, Debug)]
pub struct InProcess {
    pub(super) router: Arc<Router>,
}

impl Service<Request<Full<Bytes>>> for InProcess {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Full<Bytes>>) -> Self::Future {
        let router = Arc::clone(&self.router);
        Box::pin(async move { Ok(router.answer(request, None).await) })
    }
}
