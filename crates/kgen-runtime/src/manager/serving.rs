//! Runs the servers of a manager, and stops them before the grace period of the process ends.

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::work::GRACE_FOR_ABORT;
use super::{GRACE_FOR_EVENTS, GRACE_FOR_HANDLERS};

/// The time that servers have to end, even if no other time is left. Probes and metrics do not need more.
const GRACE_FOR_SERVERS: Duration = Duration::from_secs(1);

/// Returns the time at which everything must have ended, if tasks have `grace` from now on.
pub(super) fn deadline(grace: Duration) -> Instant {
    Instant::now() + grace + GRACE_FOR_ABORT + GRACE_FOR_HANDLERS + GRACE_FOR_EVENTS + GRACE_FOR_SERVERS
}

/// Servers that run until they are stopped.
pub(super) struct Serving {
    stop: CancellationToken,
    servers: Vec<JoinHandle<()>>,
}

impl Serving {
    pub(super) fn new() -> Self {
        Self {
            stop: CancellationToken::new(),
            servers: Vec::new(),
        }
    }

    /// Returns the token that stops the servers.
    pub(super) fn token(&self) -> &CancellationToken {
        &self.stop
    }

    pub(super) fn add(&mut self, server: JoinHandle<()>) {
        self.servers.push(server);
    }

    /// Stops all servers. Requests can be answered until `deadline`, and for at least [`GRACE_FOR_SERVERS`]. Servers
    /// that take longer are aborted.
    pub(super) async fn end(mut self, deadline: Instant) {
        self.stop.cancel();
        let deadline = deadline.max(Instant::now() + GRACE_FOR_SERVERS);
        for mut server in std::mem::take(&mut self.servers) {
            match timeout_at(deadline, &mut server).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::error!(%error, "a server panicked"),
                Err(_) => {
                    tracing::error!("aborting a server that did not end in time");
                    server.abort();
                }
            }
        }
    }
}

/// Servers must stop however a manager ends, even if it is dropped.
impl Drop for Serving {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    /// Returns how long the end takes if one server needs `needed`, or forever, and the remaining time is `left`.
    async fn end_takes(needed: Option<Duration>, left: Duration) -> Duration {
        let mut serving = Serving::new();
        let stop = serving.token().clone();
        serving.add(tokio::spawn(async move {
            stop.cancelled().await;
            match needed {
                Some(needed) => tokio::time::sleep(needed).await,
                None => pending().await,
            }
        }));
        let began = Instant::now();
        serving.end(began + left).await;
        began.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn servers_have_the_time_that_is_left() {
        let seconds = Duration::from_secs;
        assert!(end_takes(Some(seconds(3)), seconds(20)).await < seconds(4));
        let late = end_takes(None, seconds(20)).await;
        assert!((seconds(20)..seconds(21)).contains(&late), "{late:?}");
        let at_least = end_takes(None, Duration::ZERO).await;
        assert!((seconds(1)..seconds(2)).contains(&at_least), "{at_least:?}");
    }
}
