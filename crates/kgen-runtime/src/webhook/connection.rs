//! One connection: the TLS handshake, then requests over HTTP/1.1 or HTTP/2 until either side closes it.
//!
//! The API server uses HTTP/1.1 for services and HTTP/2 for addresses of its own machine, as in tests.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::{self, HttpServerConnExec};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use super::router::Router;
use crate::manager::BoxError;
use crate::serve::{Graceful, Slot, drive};

/// How long the handshake may take, and how long the first request may take after it.
const FIRST_REQUEST: Duration = Duration::from_secs(10);
/// How long a connection may be idle. This is longer than in Go's clients (90 s), because a server that closes first
/// may do so while a request arrives.
const IDLE: Duration = Duration::from_secs(120);
/// The interval and the timeout of keep-alive pings on HTTP/2.
const PING: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(20));
/// How long a client may take to finish the handshake when the server ends.
const LAST_CHANCE: Duration = Duration::from_secs(2);
/// How much hyper may buffer per connection on HTTP/1.1. This memory is not part of the budget for bodies.
const HTTP1_BUFFER: usize = 64 * 1024;
/// How much a client may send on HTTP/2 before it is read: per request, and per connection. hyper's default is 1 MiB, which
/// a few hundred clients could use to fill the memory of the process.
const HTTP2_WINDOWS: (u32, u32) = (64 * 1024, 128 * 1024);

/// The parts that all connections of a server share.
pub(super) struct Connections {
    tls: TlsAcceptor,
    http: auto::Builder<TokioExecutor>,
    router: Arc<Router>,
}

impl fmt::Debug for Connections {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Connections")
            .field("router", &self.router)
            .finish_non_exhaustive()
    }
}

impl Connections {
    pub(super) fn new(tls: TlsAcceptor, router: Arc<Router>) -> Self {
        let mut http = auto::Builder::new(TokioExecutor::new());
        http.http1()
            .timer(TokioTimer::new())
            .header_read_timeout(IDLE)
            .max_buf_size(HTTP1_BUFFER);
        http.http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(PING.0)
            .keep_alive_timeout(PING.1)
            .initial_stream_window_size(HTTP2_WINDOWS.0)
            .initial_connection_window_size(HTTP2_WINDOWS.1);
        Self { tls, http, router }
    }

    /// Serves one connection to its end.
    pub(super) async fn serve(self: Arc<Self>, stream: TcpStream, slot: Slot) {
        if let Err(reason) = self.try_serve(stream, &slot).await {
            // Clients disconnect at any time, and port scanners do not use TLS.
            tracing::debug!(reason, "a connection to the webhook server ended");
        }
    }

    async fn try_serve(&self, stream: TcpStream, slot: &Slot) -> Result<(), String> {
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        let mut closed = std::pin::pin!(async {
            slot.closing().await;
            tokio::time::sleep(LAST_CHANCE).await;
        });
        let stream = tokio::select! {
            stream = self.tls.accept(stream) => stream.map_err(|error| format!("the TLS handshake failed: {error}"))?,
            () = slot.evicted() => return Err("another connection needed its place".to_owned()),
            () = &mut closed => return Err("no TLS handshake before the end".to_owned()),
            () = tokio::time::sleep(FIRST_REQUEST) => return Err("no TLS handshake in time".to_owned()),
        };
        let answer = service_fn(|request| {
            let in_request = slot.begin();
            let router = Arc::clone(&self.router);
            async move { Ok::<_, Infallible>(router.answer(request, Some(in_request)).await) }
        });
        let connection = self.http.serve_connection(TokioIo::new(stream), answer);
        drive(connection, slot, FIRST_REQUEST).await
    }
}

impl<I, S, E, B> Graceful for auto::Connection<'_, I, S, E>
where
    S: Service<Request<Incoming>, Response = Response<B>>,
    S::Future: 'static,
    S::Error: Into<BoxError>,
    I: hyper::rt::Read + hyper::rt::Write + Unpin + 'static,
    B: Body + 'static,
    B::Error: Into<BoxError>,
    E: HttpServerConnExec<S::Future, B>,
{
    type Error = BoxError;

    fn graceful_shutdown(self: Pin<&mut Self>) {
        Self::graceful_shutdown(self);
    }
}
