//! A read-only view of a running election.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

/// A view of an election. Clones show the same election.
#[derive(Clone)]
pub struct Status {
    shared: Arc<Mutex<Shared>>,
    leader: watch::Sender<Option<String>>,
    lease_duration: Duration,
}

#[derive(Default)]
struct Shared {
    leading: bool,
    renewed: Option<Instant>,
}

impl Status {
    pub(super) fn new(lease_duration: Duration) -> Self {
        Self {
            shared: Arc::default(),
            leader: watch::Sender::new(None),
            lease_duration,
        }
    }

    /// Returns whether this replica is the leader.
    pub fn is_leader(&self) -> bool {
        self.shared().leading
    }

    /// Returns the last observed leader.
    pub fn leader(&self) -> Option<String> {
        self.leader.borrow().clone()
    }

    /// Returns a channel that shows the last observed leader, to wait for changes.
    pub fn leader_changes(&self) -> watch::Receiver<Option<String>> {
        self.leader.subscribe()
    }

    /// Returns a liveness check: returns an error if this replica is still the leader although its lease expired more
    /// than
    /// `tolerance` ago. In that case the renewal is stuck, and the process should be restarted.
    pub fn check(&self, tolerance: Duration) -> Result<(), String> {
        let shared = self.shared();
        let Some(renewed) = shared.renewed.filter(|_| shared.leading) else {
            return Ok(());
        };
        let age = renewed.elapsed();
        if age <= self.lease_duration.saturating_add(tolerance) {
            return Ok(());
        }
        Err(format!(
            "the lease of {:?} was renewed {:?} ago, and this replica still leads",
            self.lease_duration, age
        ))
    }

    pub(super) fn set_leading(&self, leading: bool) {
        self.shared().leading = leading;
    }

    pub(super) fn set_renewed(&self, at: Instant) {
        self.shared().renewed = Some(at);
    }

    /// Returns whether the leader has changed.
    pub(super) fn set_leader(&self, leader: Option<&str>) -> bool {
        self.leader.send_if_modified(|known| {
            let news = known.as_deref() != leader;
            if news {
                *known = leader.map(ToOwned::to_owned);
            }
            news
        })
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Status")
            .field("is_leader", &self.is_leader())
            .field("leader", &self.leader())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_check_fails_only_for_a_leader_whose_lease_is_long_expired() {
        let status = Status::new(Duration::from_secs(15));
        let tolerance = Duration::from_secs(20);
        assert_eq!(status.check(tolerance), Ok(()));
        status.set_renewed(Instant::now());
        status.set_leading(true);
        tokio::time::advance(Duration::from_secs(35)).await;
        assert_eq!(status.check(tolerance), Ok(()));
        tokio::time::advance(Duration::from_secs(1)).await;
        let reason = status.check(tolerance).unwrap_err();
        assert_eq!(
            reason,
            "the lease of 15s was renewed 36s ago, and this replica still leads"
        );
        status.set_leading(false);
        assert_eq!(status.check(tolerance), Ok(()));
    }
}
