//! The time in the cluster: tokio's clock, from a fixed start.
//!
//! With paused time, it advances exactly as the timers of the test do.

use std::time::Duration;

use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;

/// 2026-01-01T00:00:00Z in seconds.
const START: i64 = 1_767_225_600;

/// Returns whether tokio's clock is paused: it does not move while the clock of the machine does, unless a task waits.
pub(crate) fn is_paused() -> bool {
    let timer = Instant::now();
    let wall = std::time::Instant::now();
    while wall.elapsed().is_zero() {
        std::hint::spin_loop();
    }
    Instant::now() == timer
}

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
        text_of(self.now())
    }

    pub(crate) fn skip(&mut self, duration: Duration) {
        self.ahead += duration;
    }
}

/// Returns a time in the form of `metav1.Time`.
pub(crate) fn text_of(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::is_paused;

    #[tokio::test]
    async fn a_pause_is_seen() {
        assert!(!is_paused());
        tokio::time::pause();
        assert!(is_paused());
        tokio::time::sleep(std::time::Duration::from_secs(60)).await;
        assert!(is_paused());
        tokio::time::resume();
        assert!(!is_paused());
    }
}
