//! Lets a real server answer. The wire of the fake in front of it still records requests and injects faults.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use futures::{Stream, StreamExt};
use http::{HeaderName, Request, Response, header};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use kube::Client;
use kube::client::Body;
use serde_json::json;

use crate::Verb;
use crate::state::Shared;
use crate::status::Failure;
use crate::verbs::Call;
use crate::wire::service::AnswerBody;

/// A real server behind the wire.
pub(crate) struct Relay {
    server: Client,
    /// The number of compactions after which a resource was listed or has expired.
    seen: Mutex<BTreeMap<String, u64>>,
}

impl Relay {
    pub(crate) fn new(server: Client) -> Self {
        Self {
            server,
            seen: Mutex::default(),
        }
    }

    /// Sends a request on, and returns the answer of the server.
    pub(crate) async fn answer(
        &self,
        shared: &Arc<Shared>,
        head: &http::request::Parts,
        call: &Call,
    ) -> Result<Response<AnswerBody>, Failure> {
        let is_watch = call.target.verb == Verb::Watch;
        if is_watch && self.has_expired(shared, call) {
            let failure = Failure::expired("too old resource version: the test has compacted".to_owned());
            let event = json!({"type": "ERROR", "object": failure.status()});
            return Ok(Response::new(whole(Bytes::from(format!("{event}\n")))));
        }
        let compactions = shared.lock().compactions;
        let mut request = Request::new(Body::from(call.body.clone()));
        request.method_mut().clone_from(&head.method);
        request.uri_mut().clone_from(&head.uri);
        request.headers_mut().clone_from(&head.headers);
        for own in own_headers() {
            request.headers_mut().remove(own);
        }
        let sent = self.server.send(request).await;
        let response = sent.map_err(|error| Failure::new(503, "ServiceUnavailable", error.to_string()))?;
        if call.target.verb == Verb::List {
            self.see(call, compactions);
        }
        let (mut parts, body) = response.into_parts();
        // The bytes of the body are those that the client of the relay has decoded.
        for own in own_headers() {
            parts.headers.remove(own);
        }
        let body = if is_watch {
            let lines = until_dropped(shared, body.into_data_stream());
            BodyExt::boxed_unsync(StreamBody::new(lines))
        } else {
            let collected = body.collect().await;
            let collected =
                collected.map_err(|error| Failure::new(503, "ServiceUnavailable", error.to_string()))?;
            whole(collected.to_bytes())
        };
        Ok(Response::from_parts(parts, body))
    }

    /// Returns whether the resource version of a watch is older than the last compaction.
    fn has_expired(&self, shared: &Shared, call: &Call) -> bool {
        let compactions = shared.lock().compactions;
        if matches!(call.query.text("resourceVersion"), "" | "0") {
            return false;
        }
        self.see(call, compactions) < compactions
    }

    /// Notes that a resource was seen. Returns the number of compactions before.
    fn see(&self, call: &Call, compactions: u64) -> u64 {
        let resource = format!("{}.{}", call.target.resource, call.target.group);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.insert(resource, compactions).unwrap_or_default()
    }
}

/// Headers that belong to one connection.
fn own_headers() -> [HeaderName; 5] {
    [
        header::HOST,
        header::CONNECTION,
        header::CONTENT_LENGTH,
        header::CONTENT_ENCODING,
        header::TRANSFER_ENCODING,
    ]
}

fn whole(bytes: Bytes) -> AnswerBody {
    BodyExt::boxed_unsync(Full::new(bytes))
}

/// Passes the bytes of a watch on until the server ends it, or the test drops all watches.
fn until_dropped<E: 'static>(
    shared: &Arc<Shared>,
    body: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
) -> impl Stream<Item = Result<Frame<Bytes>, Infallible>> + Send + 'static {
    let drops = shared.lock().drops;
    let shared = shared.clone();
    let mut changes = shared.changes.subscribe();
    let dropped =
        Box::pin(async move { while shared.lock().drops == drops && changes.changed().await.is_ok() {} });
    // An error of the connection ends the watch, as it does for a client without a relay.
    let bytes = body
        .map(Result::ok)
        .take_while(|bytes| std::future::ready(bytes.is_some()));
    bytes
        .filter_map(|bytes| std::future::ready(bytes.map(|bytes| Ok(Frame::data(bytes)))))
        .take_until(dropped)
}
