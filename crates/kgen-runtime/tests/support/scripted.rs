//! A scripted API server: a tower service below `kube::Client`.
#![allow(dead_code, reason = "each test uses its part")]

pub mod lease;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{Method, Request, Response};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::sync::watch;

/// A request as the server saw it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub method: Method,
    pub path: String,
    pub body: Value,
}

/// The reaction of the server to a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A status and an object.
    Json(u16, Value),
    /// The connection breaks.
    Broken,
    /// Never answers.
    Silence,
    /// An answer, after a while.
    Slow(Duration, Box<Answer>),
}

impl Answer {
    pub fn ok(object: Value) -> Self {
        Self::Json(200, object)
    }

    pub fn error(code: u16, reason: &str) -> Self {
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": format!("{reason} by script"), "reason": reason, "code": code,
        });
        Self::Json(code, status)
    }
}

type Handler = dyn FnMut(&Seen) -> Answer + Send;

/// The server: its responses, and the requests that it has received.
#[derive(Clone)]
pub struct Server {
    handler: Arc<Mutex<Handler>>,
    seen: watch::Sender<Vec<Seen>>,
}

impl Server {
    pub fn new(handler: impl FnMut(&Seen) -> Answer + Send + 'static) -> Self {
        Self {
            handler: Arc::new(Mutex::new(handler)),
            seen: watch::Sender::new(Vec::new()),
        }
    }

    /// Takes what it is sent and says so.
    pub fn accepting() -> Self {
        Self::new(|seen| Answer::ok(seen.body.clone()))
    }

    pub fn client(&self) -> Client {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move { server.answer(request).await }
        });
        Client::new(service, "default")
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.borrow().clone()
    }

    /// Waits for the first `count` requests and returns them.
    pub async fn wait_for(&self, count: usize) -> Vec<Seen> {
        let mut seen = self.seen.subscribe();
        seen.wait_for(|seen| seen.len() >= count).await.unwrap().clone()
    }

    async fn answer(&self, request: Request<Body>) -> Result<Response<Body>, std::io::Error> {
        let (head, body) = request.into_parts();
        let bytes = body.collect().await.map_err(std::io::Error::other)?.to_bytes();
        let seen = Seen {
            method: head.method,
            path: head.uri.path().to_owned(),
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
        };
        let mut answer = (self.handler.lock().unwrap())(&seen);
        self.seen.send_modify(|all| all.push(seen));
        if let Answer::Slow(after, late) = answer {
            tokio::time::sleep(after).await;
            answer = *late;
        }
        match answer {
            Answer::Json(code, object) => {
                let body = serde_json::to_vec(&object)?;
                Ok(Response::builder().status(code).body(Body::from(body)).unwrap())
            }
            Answer::Broken => Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset)),
            Answer::Silence | Answer::Slow(..) => std::future::pending().await,
        }
    }
}
