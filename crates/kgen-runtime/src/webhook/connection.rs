//! One connection: the TLS handshake, then requests over HTTP/1.1 or HTTP/2 until either side has enough.
//!
//! The API server uses HTTP/1.1 for services and HTTP/2 for addresses of its own machine, as in tests.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::router::Router;

/// How long the handshake may take, and then the first request to come.
const FIRST_REQUEST: Duration = Duration::from_secs(10);
/// How long a connection may be idle. Longer than Go's clients keep one (90 s): a server that closes first may do so in the
/// moment in which a request comes.
const IDLE: Duration = Duration::from_secs(120);
/// How often, on HTTP/2, it is asked whether the client is still there, and how long it may take to say so.
const PING: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(20));
/// How long, when the server ends, a client that has just connected may take to send its request.
const LAST_CHANCE: Duration = Duration::from_secs(2);

/// What all connections of a server share.
pub(super) struct Connections {
    tls: TlsAcceptor,
    http: auto::Builder<TokioExecutor>,
    router: Arc<Router>,
    /// Cancelled when no new requests should come.
    pub(super) closing: CancellationToken,
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
        http.http1().timer(TokioTimer::new()).header_read_timeout(IDLE);
        http.http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(PING.0)
            .keep_alive_timeout(PING.1);
        Self {
            tls,
            http,
            router,
            closing: CancellationToken::new(),
        }
    }

    /// Serves one connection to its end.
    pub(super) async fn serve(self: Arc<Self>, stream: TcpStream) {
        if let Err(problem) = self.try_serve(stream).await {
            // Clients go away as they like; port scanners and plain HTTP end up here, too.
            tracing::debug!(problem, "a connection to the webhook server ended");
        }
    }

    async fn try_serve(&self, stream: TcpStream) -> Result<(), String> {
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        let mut closed = std::pin::pin!(async {
            self.closing.cancelled().await;
            tokio::time::sleep(LAST_CHANCE).await;
        });
        let stream = tokio::select! {
            stream = self.tls.accept(stream) => stream.map_err(|error| format!("the TLS handshake failed: {error}"))?,
            () = &mut closed => return Err("no TLS handshake before the end".to_owned()),
            () = tokio::time::sleep(FIRST_REQUEST) => return Err("no TLS handshake in time".to_owned()),
        };

        let asked = CancellationToken::new();
        let answer = service_fn(|request| {
            asked.cancel();
            let router = Arc::clone(&self.router);
            async move { Ok::<_, Infallible>(router.answer(request).await) }
        });
        let connection = self.http.serve_connection(TokioIo::new(stream), answer);
        let mut connection = std::pin::pin!(connection);
        tokio::select! {
            result = &mut connection => return result.map_err(|error| error.to_string()),
            () = asked.cancelled() => {}
            () = &mut closed => {}
            () = tokio::time::sleep(FIRST_REQUEST) => return Err("no request in time".to_owned()),
        }
        tokio::select! {
            result = &mut connection => return result.map_err(|error| error.to_string()),
            () = self.closing.cancelled() => connection.as_mut().graceful_shutdown(),
        }
        connection.await.map_err(|error| error.to_string())
    }
}
