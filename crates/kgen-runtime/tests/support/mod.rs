//! A scripted API server. It is a service below [`kube::Client`]: every request waits until the test takes it and
//! answers it, so tests are deterministic and do not sleep.

#![allow(dead_code, reason = "each test program uses a part of this")]
#![allow(clippy::print_stdout, reason = "a test that hangs says so")]

pub mod log;

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::time::Duration;

use futures::channel::mpsc;
use futures::{FutureExt, StreamExt};
use http::{Request, Response};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use kgen_runtime::Connection;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::sync::oneshot;

type Answer = Response<BoxBody<Bytes, std::io::Error>>;

/// The test's end of the wire.
pub struct Api {
    calls: mpsc::UnboundedReceiver<Call>,
    waiting: VecDeque<Call>,
}

/// One request that waits for its response. Dropping it breaks the connection.
#[derive(Debug)]
pub struct Call {
    pub method: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub content_type: Option<String>,
    pub body: Value,
    answer: oneshot::Sender<Answer>,
}

/// The open end of a watch. Dropping it ends the stream, which servers do regularly.
pub struct Watch {
    lines: mpsc::UnboundedSender<Result<Frame<Bytes>, std::io::Error>>,
}

/// Returns a connection whose field manager is `tester`, and the server below it.
pub fn api() -> (Connection, Api) {
    log::keep_lines_on();
    let (sender, calls) = mpsc::unbounded();
    let service = tower::service_fn(move |request: Request<Body>| {
        let sender = sender.clone();
        async move {
            let (answer, answered) = oneshot::channel();
            let call = Call::read(request, answer).await;
            sender.unbounded_send(call).map_err(|_| "the test has ended")?;
            answered.await.map_err(|_| "the connection was broken")
        }
    });
    tokio::spawn(async {
        tokio::time::sleep(Duration::from_secs(24 * 60 * 60)).await;
        // The clock of a test jumps here when all tasks wait for each other: without this the test would hang.
        println!("everything waits forever");
        std::process::abort();
    });
    let service = tower::util::MapErr::new(service, tower::BoxError::from);
    let client = kube::Client::new(service, "default");
    (
        Connection::new(client).with_field_manager("tester"),
        Api {
            calls,
            waiting: VecDeque::new(),
        },
    )
}

impl Api {
    /// Returns the next request.
    pub async fn next(&mut self) -> Call {
        match self.waiting.pop_front() {
            Some(call) => call,
            None => self.calls.next().await.expect("the client is gone"),
        }
    }

    /// Returns the next list of `path`; other requests keep waiting.
    pub async fn list(&mut self, path: &str) -> Call {
        self.find(|call| call.path == path && !call.is_watch()).await
    }

    /// Returns the next watch of `path`; other requests keep waiting.
    pub async fn watch(&mut self, path: &str) -> Call {
        self.find(|call| call.path == path && call.is_watch()).await
    }

    async fn find(&mut self, wanted: impl Fn(&Call) -> bool) -> Call {
        if let Some(position) = self.waiting.iter().position(&wanted) {
            return self.waiting.remove(position).expect("it was just found");
        }
        loop {
            let call = self.calls.next().await.expect("the client is gone");
            if wanted(&call) {
                return call;
            }
            self.waiting.push_back(call);
        }
    }

    /// Returns whether no request is waiting.
    pub async fn is_idle(&mut self) -> bool {
        settle().await;
        self.waiting.is_empty() && self.calls.next().now_or_never().is_none()
    }
}

impl Call {
    async fn read(request: Request<Body>, answer: oneshot::Sender<Answer>) -> Self {
        let (parts, body) = request.into_parts();
        let body = body
            .collect()
            .await
            .expect("bodies of requests are in memory")
            .to_bytes();
        let body = if body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&body).expect("JSON")
        };
        let query = parts.uri.query().unwrap_or_default();
        Self {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            query: query
                .split('&')
                .filter(|pair| !pair.is_empty())
                .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .collect(),
            content_type: parts
                .headers
                .get("content-type")
                .map(|value| value.to_str().expect("text").to_owned()),
            body,
            answer,
        }
    }

    pub fn is_watch(&self) -> bool {
        self.query.contains_key("watch")
    }

    /// Returns method, path and query in one line, with the query sorted.
    pub fn line(&self) -> String {
        let query: Vec<_> = self
            .query
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let separator = if query.is_empty() { "" } else { "?" };
        format!("{} {}{separator}{}", self.method, self.path, query.join("&"))
    }

    /// Answers with `body`.
    pub fn json(self, body: &Value) {
        self.respond(200, body);
    }

    /// Answers with an error of the API.
    pub fn refuse(self, code: u16, reason: &str) {
        self.respond(code, &status(code, reason));
    }

    /// Answers a list request.
    pub fn items(self, version: &str, items: &[Value]) {
        self.page(version, None, items);
    }

    /// Answers a list request with one page of several.
    pub fn page(self, version: &str, next: Option<&str>, items: &[Value]) {
        let metadata = json!({ "resourceVersion": version, "continue": next });
        self.json(&json!({ "apiVersion": "v1", "kind": "List", "metadata": metadata, "items": items }));
    }

    /// Answers a watch request with a stream that stays open.
    pub fn open(self) -> Watch {
        let (lines, stream) = mpsc::unbounded();
        let body = StreamBody::new(stream);
        self.answer.send(Response::new(BodyExt::boxed(body))).ok();
        Watch { lines }
    }

    /// Returns whether the client has canceled this request.
    pub fn is_abandoned(&self) -> bool {
        self.answer.is_closed()
    }

    fn respond(self, code: u16, body: &Value) {
        let body = Full::new(Bytes::from(body.to_string())).map_err(|never: Infallible| match never {});
        let response = Response::builder()
            .status(code)
            .body(body.boxed())
            .expect("a valid response");
        self.answer.send(response).ok();
    }
}

impl Watch {
    pub fn added(&self, object: &Value) {
        self.line(&json!({ "type": "ADDED", "object": object }));
    }

    pub fn modified(&self, object: &Value) {
        self.line(&json!({ "type": "MODIFIED", "object": object }));
    }

    pub fn deleted(&self, object: &Value) {
        self.line(&json!({ "type": "DELETED", "object": object }));
    }

    pub fn bookmark(&self, version: &str) {
        let object =
            json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "resourceVersion": version } });
        self.line(&json!({ "type": "BOOKMARK", "object": object }));
    }

    /// Answers that the version to watch from is too old.
    pub fn expired(&self) {
        self.line(&json!({ "type": "ERROR", "object": status(410, "Expired") }));
    }

    /// Breaks the connection in the middle.
    pub fn break_off(self) {
        self.lines
            .unbounded_send(Err(std::io::Error::other("connection reset")))
            .ok();
    }

    pub fn line(&self, line: &Value) {
        self.lines
            .unbounded_send(Ok(Frame::data(Bytes::from(format!("{line}\n")))))
            .expect("the watch is over");
    }
}

/// Returns a `Status` as the API server sends it.
pub fn status(code: u16, reason: &str) -> Value {
    json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": code,
            "reason": reason, "message": format!("refused: {reason}") })
}

/// Returns a config map in namespace `default`.
pub fn map(name: &str, version: &str) -> Value {
    map_in("default", name, version)
}

/// Returns a config map.
pub fn map_in(namespace: &str, name: &str, version: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": {
        "name": name, "namespace": namespace, "resourceVersion": version, "uid": format!("uid-of-{name}") } })
}

/// Returns a deployment in namespace `default`.
pub fn deployment(name: &str, version: &str) -> Value {
    json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {
        "name": name, "namespace": "default", "resourceVersion": version, "uid": format!("uid-of-{name}") } })
}

/// Lets every task run until it waits.
pub async fn settle() {
    // The clock of these tests advances only when every task waits, so the shortest sleep ends exactly then.
    tokio::time::sleep(Duration::from_millis(1)).await;
}
