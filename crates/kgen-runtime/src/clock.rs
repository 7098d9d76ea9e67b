//! The time of day, which tests can control.
//!
//! Timers and durations use tokio's clock, which tests pause with `tokio::time::pause`. A [`Clock`] is only for times that
//! are written to objects, such as a Lease or an Event.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use k8s_openapi::jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// A source of the time of day.
///
/// ```
/// use kgen_runtime::clock::{Clock, ManualClock};
/// use std::time::Duration;
///
/// let clock = ManualClock::at("2026-01-01T00:00:00Z".parse()?);
/// clock.advance(Duration::from_secs(90));
/// assert_eq!(clock.now().to_string(), "2026-01-01T00:01:30Z");
/// # Ok::<(), k8s_openapi::jiff::Error>(())
/// ```
pub trait Clock: fmt::Debug + Send + Sync + 'static {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        later(Timestamp::UNIX_EPOCH, since_epoch)
    }
}

/// A clock that starts at a given time and advances with tokio's clock.
///
/// With paused time, it advances exactly as the timers do. Two clocks with different start times simulate two machines
/// whose clocks disagree.
#[derive(Clone, Copy, Debug)]
pub struct TokioClock {
    start: Timestamp,
    started: Instant,
}

impl TokioClock {
    /// Creates a clock that shows `start` now.
    pub fn starting_at(start: Timestamp) -> Self {
        Self {
            start,
            started: Instant::now(),
        }
    }
}

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        later(self.start, self.started.elapsed())
    }
}

/// A clock that changes only on request. Clones show the same time.
#[derive(Clone, Debug)]
pub struct ManualClock {
    shown: Arc<Mutex<Timestamp>>,
}

impl ManualClock {
    /// Creates a clock that shows `time`.
    pub fn at(time: Timestamp) -> Self {
        Self {
            shown: Arc::new(Mutex::new(time)),
        }
    }

    /// Sets the time, which can be earlier than before.
    pub fn set(&self, time: Timestamp) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = time;
    }

    /// Advances the time by `duration`.
    pub fn advance(&self, duration: Duration) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        *shown = later(*shown, duration);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns `time` plus `duration`, or the latest possible time if the sum overflows.
fn later(time: Timestamp, duration: Duration) -> Timestamp {
    let duration = SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX);
    time.saturating_add(duration).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_tokio_clock_moves_with_the_timers() {
        let start: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let clock = TokioClock::starting_at(start);
        tokio::time::sleep(Duration::from_secs(3600)).await;
        assert_eq!(clock.now().duration_since(start), SignedDuration::from_hours(1));
    }

    #[test]
    fn the_system_clock_shows_this_century() {
        let shown = SystemClock.now();
        assert!(shown > "2025-01-01T00:00:00Z".parse().unwrap(), "{shown}");
    }

    #[test]
    fn the_end_of_the_calendar_does_not_panic() {
        let clock = ManualClock::at(Timestamp::MAX);
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp::MAX);
    }
}
