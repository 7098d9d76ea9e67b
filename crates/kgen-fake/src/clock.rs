//! The time in the cluster: tokio's clock, from a fixed start.
//!
//! With paused time, it advances exactly as the timers of the test do.

use std::time::Duration;

use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;

/// 2026-01-01T00:00:00Z in seconds.
const START: i64 = 1_767_225_600;

/// A clock that shows a start time at its creation.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    start: Timestamp,
    started: Instant,
    /// Time that `Cluster::advance` added although the timers are not paused.
    ahead: Duration,
}

impl Clock {
    pub(crate) fn new(start: Option<Timestamp>) -> Self {
        Self {
            start: start.unwrap_or_else(|| Timestamp::from_second(START).unwrap_or_default()),
            started: Instant::now(),
            ahead: Duration::ZERO,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        let passed = Instant::now().saturating_duration_since(self.started) + self.ahead;
        self.start.checked_add(passed).unwrap_or(self.start)
    }

    /// Returns the time in the form of `metav1.Time`.
    pub(crate) fn text(&self) -> String {
        self.now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }

    pub(crate) fn skip(&mut self, duration: Duration) {
        self.ahead += duration;
    }
}
