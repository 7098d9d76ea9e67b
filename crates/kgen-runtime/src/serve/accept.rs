//! The loop that accepts connections, and the end of a server.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use futures::FutureExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::slots::{Slot, Slots};

/// The pause after an error of `accept`, which is usually caused by too many open files.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(100);

/// Accepts connections at one address.
#[derive(Debug)]
pub(crate) struct Acceptor {
    listener: TcpListener,
    address: SocketAddr,
    slots: Slots,
}

impl Acceptor {
    /// Listens at `address`, for at most `max_connections` connections.
    pub(crate) async fn bind(address: SocketAddr, max_connections: usize) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self {
            listener,
            address,
            slots: Slots::new(max_connections),
        })
    }

    /// Returns the address, with the port that was chosen.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves connections until `stop` ends. Then it accepts no new connections, and open ones have the time `grace` to end.
    pub(crate) async fn run<F>(
        self,
        stop: impl Future<Output = ()>,
        grace: Duration,
        serve: impl Fn(TcpStream, Slot) -> F,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        let Self { listener, slots, .. } = self;
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            let accepted = tokio::select! {
                () = &mut stop => break,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    let slot = tokio::select! {
                        biased;
                        slot = slots.take() => slot,
                        () = &mut stop => {
                            connections.spawn(serve(stream, slots.take_extra()));
                            break;
                        }
                    };
                    connections.spawn(serve(stream, slot));
                }
                Err(error) if is_of_the_client(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    // An idle connection holds a file descriptor that the next one needs.
                    slots.evict();
                    tokio::select! {
                        () = &mut stop => break,
                        () = tokio::time::sleep(PAUSE_AFTER_ERROR) => {}
                    }
                }
            }
            while connections.try_join_next().is_some() {}
        }
        // A client that connected before the end must get a response.
        while let Some(Ok((stream, _))) = listener.accept().now_or_never() {
            connections.spawn(serve(stream, slots.take_extra()));
        }
        drop(listener);
        slots.close();
        let ended = async { while connections.join_next().await.is_some() {} };
        // Connections that have not ended by then are dropped with the set.
        let _ = tokio::time::timeout(grace, ended).await;
    }
}

/// Returns whether a client closed its connection before it was accepted.
fn is_of_the_client(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted)
}
