//! A proxy between the operator and the API server that lets every second write collide with a change by somebody else.
//!
//! The responses are real: the proxy changes the object right before it forwards the write, with the earlier version as
//! a precondition, and the API server rejects it. An object to be created is created twice. Writes are counted for each
//! verb and resource, so that every kind of write collides, in any order.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, TRANSFER_ENCODING};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use kgen_testenv::Kubeconfig;
use kube::client::Body;
use kube::config::KubeConfigOptions;
use kube::{Client, Config};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::cluster::Result;

/// How often a sort of write, such as `PATCH foos/status`, was let through and how often it was refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    pub writes: usize,
    pub collisions: usize,
}

/// The proxy while it runs, in a thread of its own: tests wait for processes that wait for it.
pub struct Proxy {
    address: SocketAddr,
    counts: Arc<Mutex<BTreeMap<String, Count>>>,
    ending: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl Proxy {
    /// Starts it on a free port. Requests keep the identity of their sender; `admin` makes the conflicting changes.
    pub fn start(admin: &Kubeconfig) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (counts, ending) = (Arc::default(), CancellationToken::new());
        let (admin, shared, ended) = (admin.clone(), Arc::clone(&counts), ending.clone());
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let between = Between::new(&admin, shared).await.unwrap();
                ended.run_until_cancelled(serve(listener, between)).await;
            });
        });
        Ok(Self {
            address,
            counts,
            ending,
            thread: Some(thread),
        })
    }

    /// Returns the kubeconfig of a user whose requests go through the proxy.
    pub fn kubeconfig(&self, whose: &Kubeconfig) -> String {
        whose
            .to_yaml()
            .replace(whose.server(), &format!("http://{}", self.address))
    }

    /// Returns the writes so far.
    pub fn counts(&self) -> BTreeMap<String, Count> {
        self.counts.lock().unwrap().clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.ending.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn serve(listener: TcpListener, between: Between) {
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    while let Ok((stream, _)) = listener.accept().await {
        let between = between.clone();
        let answer = service_fn(move |request| {
            let between = between.clone();
            async move { Ok::<_, Infallible>(between.answer(request).await) }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
    }
}

/// Who hands requests on, and gets in between.
#[derive(Clone)]
struct Between {
    /// Without credentials: those of the request are handed on.
    nobody: Client,
    admin: Client,
    counts: Arc<Mutex<BTreeMap<String, Count>>>,
    changes: Arc<AtomicUsize>,
}

impl Between {
    async fn new(admin: &Kubeconfig, counts: Arc<Mutex<BTreeMap<String, Count>>>) -> Result<Self> {
        let kubeconfig = kube::config::Kubeconfig::from_yaml(&admin.to_yaml())?;
        let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
        config.auth_info = kube::config::AuthInfo::default();
        Ok(Self {
            nobody: Client::try_from(config)?,
            admin: admin.client().await?,
            counts,
            changes: Arc::default(),
        })
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let result = self.exchange(request).await;
        result.unwrap_or_else(|error| {
            // As if the server could not be reached; the operator has to try again.
            let mut answer = Response::new(Body::from(error.to_string().into_bytes()));
            *answer.status_mut() = StatusCode::BAD_GATEWAY;
            answer
        })
    }

    async fn exchange(&self, request: Request<Incoming>) -> Result<Response<Body>> {
        let (mut parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        for own in [HOST, CONNECTION, TRANSFER_ENCODING, CONTENT_LENGTH] {
            parts.headers.remove(own);
        }
        let Some(target) = Target::of(&parts) else {
            return self.hand_on(&parts, body).await;
        };
        let number = {
            let mut counts = self.counts.lock().unwrap();
            let count = counts.entry(target.sort.clone()).or_default();
            count.writes += 1;
            count.writes
        };
        if number % 2 == 1 {
            return self.hand_on(&parts, body).await;
        }
        let answer = self.collide(&parts, body, &target).await?;
        if answer.status() == StatusCode::CONFLICT {
            let mut counts = self.counts.lock().unwrap();
            counts.entry(target.sort).or_default().collisions += 1;
        }
        Ok(answer)
    }

    /// Makes the write come too late.
    async fn collide(&self, parts: &Parts, body: Bytes, target: &Target) -> Result<Response<Body>> {
        if parts.method == Method::POST {
            self.hand_on(parts, body.clone())
                .await?
                .into_body()
                .collect()
                .await?;
            return self.hand_on(parts, body).await;
        }
        // An object that does not exist cannot be changed; the server reports that itself.
        let Some(version) = self.change(&target.object).await? else {
            return self.hand_on(parts, body).await;
        };
        let mut wanted: Value = match body.is_empty() {
            true => json!({}),
            false => serde_json::from_slice(&body)?,
        };
        match parts.method {
            Method::DELETE => wanted["preconditions"]["resourceVersion"] = version.into(),
            _ => wanted["metadata"]["resourceVersion"] = version.into(),
        }
        self.hand_on(parts, wanted.to_string().into()).await
    }

    /// Changes an object and returns its version from before.
    async fn change(&self, object: &str) -> Result<Option<String>> {
        let before = Request::get(object).body(Vec::new())?;
        let before: Value = match self.admin.request(before).await {
            Ok(before) => before,
            Err(kube::Error::Api(status)) if status.code == 404 => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let number = self.changes.fetch_add(1, Ordering::Relaxed);
        let change =
            json!({ "metadata": { "annotations": { "example.com/in-between": number.to_string() } } });
        let change = Request::patch(object)
            .header(CONTENT_TYPE, "application/merge-patch+json")
            .body(change.to_string().into_bytes())?;
        let _: Value = self.admin.request(change).await?;
        Ok(before["metadata"]["resourceVersion"].as_str().map(str::to_owned))
    }

    async fn hand_on(&self, parts: &Parts, body: Bytes) -> Result<Response<Body>> {
        let mut request = Request::new(Body::from(body.to_vec()));
        *request.method_mut() = parts.method.clone();
        *request.uri_mut() = parts.uri.clone();
        *request.headers_mut() = parts.headers.clone();
        let mut answer = self.nobody.send(request).await?;
        for own in [CONNECTION, TRANSFER_ENCODING] {
            answer.headers_mut().remove(own);
        }
        Ok(answer)
    }
}

/// The target of a write.
struct Target {
    /// Verb and resource.
    sort: String,
    /// The path of the object, without its subresource.
    object: String,
}

impl Target {
    /// Returns `None` if the request is not a write.
    fn of(parts: &Parts) -> Option<Self> {
        if parts.method == Method::GET {
            return None;
        }
        let path = parts.uri.path();
        let (before, rest) = path.split_once("/namespaces/")?;
        let words: Vec<_> = rest.split('/').collect();
        let [namespace, resource, behind @ ..] = words.as_slice() else {
            return None;
        };
        let resource_path = format!("{before}/namespaces/{namespace}/{resource}");
        let (object, subresource) = match behind {
            [] => (resource_path, String::new()),
            [name] => (format!("{resource_path}/{name}"), String::new()),
            [name, subresource, ..] => (format!("{resource_path}/{name}"), format!("/{subresource}")),
        };
        Some(Self {
            sort: format!("{} {resource}{subresource}", parts.method),
            object,
        })
    }
}
