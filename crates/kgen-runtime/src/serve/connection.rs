//! One HTTP connection, from its first byte to its end.

use std::fmt::Display;
use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use futures::FutureExt as _;

use super::slots::Slot;

/// How long a client that has just connected may take to send its request when the server ends.
const LAST_CHANCE: Duration = Duration::from_secs(2);

/// A connection of hyper, which does not have a common trait for them.
pub(crate) trait Graceful: Future<Output = Result<(), Self::Error>> {
    type Error: Display;

    /// Finishes the requests that have arrived, and rejects others.
    fn graceful_shutdown(self: Pin<&mut Self>);
}

/// Serves a connection until the client closes it, another connection needs its slot, or the server ends.
///
/// The first request must arrive within `first_request`. The error is the reason why the connection ended, for the log.
pub(crate) async fn drive<C: Graceful>(
    connection: C,
    slot: &Slot,
    first_request: Duration,
) -> Result<(), String> {
    let mut connection = pin!(connection);
    let mut closed = pin!(async {
        slot.closing().await;
        tokio::time::sleep(LAST_CHANCE).await;
    });
    tokio::select! {
        result = &mut connection => return said(result),
        () = slot.evicted() => return Err(evict(connection)),
        () = slot.asked() => {}
        () = &mut closed => {}
        () = tokio::time::sleep(first_request) => return Err("no request in time".to_owned()),
    }
    tokio::select! {
        result = &mut connection => return said(result),
        () = slot.evicted() => return Err(evict(connection)),
        () = slot.closing() => connection.as_mut().graceful_shutdown(),
    }
    tokio::select! {
        result = &mut connection => said(result),
        () = slot.evicted() => Err(evict(connection)),
    }
}

fn said<E: Display>(result: Result<(), E>) -> Result<(), String> {
    result.map_err(|error| error.to_string())
}

/// Closes the connection gracefully as far as possible without waiting; it is closed when it is dropped.
fn evict<C: Graceful>(mut connection: Pin<&mut C>) -> String {
    connection.as_mut().graceful_shutdown();
    let _ = connection.now_or_never();
    "another connection needed its place".to_owned()
}

impl<I, B, S> Graceful for hyper::server::conn::http1::Connection<I, S>
where
    I: hyper::rt::Read + hyper::rt::Write + Unpin + 'static,
    S: hyper::service::HttpService<hyper::body::Incoming, ResBody = B>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    B: hyper::body::Body + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Error = hyper::Error;

    fn graceful_shutdown(self: Pin<&mut Self>) {
        Self::graceful_shutdown(self);
    }
}
