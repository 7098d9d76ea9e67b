//! A proxy between one replica and the API server. It stamps requests with the name of the replica, so that the audit log
//! tells the replicas apart, and it delays, stalls or resets connections.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use http::header::{CONNECTION, CONTENT_LENGTH, HOST, HeaderValue, TRANSFER_ENCODING, USER_AGENT};
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use kgen_testenv::Kubeconfig;
use kube::client::Body;
use kube::config::KubeConfigOptions;
use kube::{Client, Config};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::cluster::Result;

/// The proxy while it runs, in a thread of its own.
pub struct FaultyProxy {
    address: SocketAddr,
    faults: Arc<Faults>,
    ending: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

struct Faults {
    delay: Mutex<Duration>,
    /// The first token stalls all connections of now, the second one closes them.
    line: Mutex<(CancellationToken, CancellationToken)>,
}

impl FaultyProxy {
    pub fn start(admin: &Kubeconfig, name: &str) -> Result<Self> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let faults = Arc::new(Faults {
            delay: Mutex::new(Duration::ZERO),
            line: Mutex::default(),
        });
        let ending = CancellationToken::new();
        let (admin, name) = (admin.clone(), HeaderValue::from_str(name)?);
        let (shared, ended) = (Arc::clone(&faults), ending.clone());
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let upstream = upstream(&admin).await.unwrap();
                let listener = TcpListener::from_std(listener).unwrap();
                let serving = serve(listener, upstream, name, shared);
                ended.run_until_cancelled(serving).await;
            });
        });
        Ok(Self {
            address,
            faults,
            ending,
            thread: Some(thread),
        })
    }

    /// Returns the kubeconfig of a replica that goes through the proxy.
    pub fn kubeconfig(&self, whose: &Kubeconfig) -> String {
        whose
            .to_yaml()
            .replace(whose.server(), &format!("http://{}", self.address))
    }

    /// Delays each request from now on.
    pub fn delay(&self, delay: Duration) {
        *self.faults.delay.lock().unwrap() = delay;
    }

    /// Forwards nothing any more, in either direction, but keeps the connections open.
    pub fn stall(&self) {
        self.faults.line.lock().unwrap().0.cancel();
    }

    /// Closes all connections; new ones work again. Requests that were stalled never arrive.
    pub fn reset(&self) {
        let mut line = self.faults.line.lock().unwrap();
        let (_stalled, closed) = std::mem::take(&mut *line);
        closed.cancel();
    }
}

impl Drop for FaultyProxy {
    fn drop(&mut self) {
        self.ending.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Returns a client without credentials: requests keep their own.
async fn upstream(admin: &Kubeconfig) -> Result<Client> {
    let kubeconfig = kube::config::Kubeconfig::from_yaml(&admin.to_yaml())?;
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    config.auth_info = kube::config::AuthInfo::default();
    Ok(Client::try_from(config)?)
}

async fn serve(listener: TcpListener, upstream: Client, name: HeaderValue, faults: Arc<Faults>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(connection(
            stream,
            upstream.clone(),
            name.clone(),
            Arc::clone(&faults),
        ));
    }
}

async fn connection(stream: TcpStream, upstream: Client, name: HeaderValue, faults: Arc<Faults>) {
    let (stalled, closed) = faults.line.lock().unwrap().clone();
    let answer = service_fn(move |request| {
        let (upstream, name) = (upstream.clone(), name.clone());
        let delay = *faults.delay.lock().unwrap();
        async move {
            tokio::time::sleep(delay).await;
            Ok::<_, Infallible>(exchange(request, &upstream, name).await)
        }
    });
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
    tokio::select! {
        biased;
        () = closed.cancelled() => {}
        // Not polled any more, the connection forwards nothing.
        () = stalled.cancelled() => closed.cancelled().await,
        _ = connection => {}
    }
}

async fn exchange(request: Request<Incoming>, upstream: &Client, name: HeaderValue) -> Response<Body> {
    let forwarded = async {
        let (mut parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        for own in [HOST, CONNECTION, TRANSFER_ENCODING, CONTENT_LENGTH] {
            parts.headers.remove(own);
        }
        parts.headers.insert(USER_AGENT, name);
        let request = Request::from_parts(parts, Body::from(body.to_vec()));
        let mut answer = upstream.send(request).await?;
        for own in [CONNECTION, TRANSFER_ENCODING] {
            answer.headers_mut().remove(own);
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(answer)
    };
    forwarded.await.unwrap_or_else(|error| {
        let mut answer = Response::new(Body::from(error.to_string().into_bytes()));
        *answer.status_mut() = StatusCode::BAD_GATEWAY;
        answer
    })
}
