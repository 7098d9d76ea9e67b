//! Memory for the bodies of requests: one amount for all connections of a server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// An amount of memory that bodies share. Clones share it, too.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    total: usize,
    state: Mutex<State>,
    /// Notifies bodies that wait for memory.
    freed: Notify,
    /// Shows how much is reserved.
    gauge: Gauge,
}

#[derive(Debug, Default)]
struct State {
    reserved: usize,
    /// The part of `reserved` that belongs to evicted bodies, which will be dropped soon.
    leaving: usize,
    /// Counts all events, as a clock with unique times.
    steps: u64,
    next_id: u64,
    unfinished: BTreeMap<u64, Unfinished>,
}

/// A body of which a part has not arrived.
#[derive(Debug)]
struct Unfinished {
    bytes: usize,
    /// The step at which the last part arrived.
    progress: u64,
    given_up: CancellationToken,
}

/// A body was evicted, because another one needed its memory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct GivenUp;

impl Budget {
    /// Returns a budget of `total` bytes. `gauge` shows the reserved bytes.
    pub(crate) fn new(total: usize, gauge: Gauge) -> Self {
        Self {
            shared: Arc::new(Shared {
                total,
                state: Mutex::default(),
                freed: Notify::new(),
                gauge,
            }),
        }
    }

    /// Begins a body, which holds nothing yet.
    pub(super) fn begin(&self) -> Reservation {
        let mut state = self.shared.state();
        let id = state.next_id;
        state.next_id += 1;
        let given_up = CancellationToken::new();
        let unfinished = Unfinished {
            bytes: 0,
            progress: state.step(),
            given_up: given_up.clone(),
        };
        state.unfinished.insert(id, unfinished);
        Reservation {
            shared: Arc::clone(&self.shared),
            id,
            bytes: 0,
            given_up,
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, state: &State) {
        self.gauge.set(i64::try_from(state.reserved).unwrap_or(i64::MAX));
    }
}

impl State {
    fn step(&mut self) -> u64 {
        self.steps += 1;
        self.steps
    }

    /// Evicts unfinished bodies other than `id`, those without progress for longest first, until `bytes` will fit.
    /// Does not evict any if that is not enough: in that case complete bodies hold the memory, and they will be dropped soon.
    fn make_room(&mut self, id: u64, bytes: usize, total: usize) {
        let others = self.unfinished.iter().filter(|(other, _)| **other != id);
        let yielding: usize = others.map(|(_, body)| body.bytes).sum();
        if self.reserved - self.leaving - yielding + bytes > total {
            return;
        }
        while self.reserved - self.leaving + bytes > total {
            let others = self
                .unfinished
                .iter()
                .filter(|(other, body)| **other != id && body.bytes > 0);
            let stalest = others.min_by_key(|(_, body)| body.progress);
            let Some(stalest) = stalest.map(|(id, _)| *id) else {
                return;
            };
            if let Some(body) = self.unfinished.remove(&stalest) {
                self.leaving += body.bytes;
                body.given_up.cancel();
            }
        }
    }
}

/// The memory that is reserved for one body. Dropping it returns the memory.
#[derive(Debug)]
pub(super) struct Reservation {
    shared: Arc<Shared>,
    id: u64,
    bytes: usize,
    given_up: CancellationToken,
}

impl Reservation {
    /// Returns the number of reserved bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Reserves `bytes` more for a part that has arrived. If the budget is used up, evicts the unfinished body without
    /// progress for longest. If the others are complete, waits until one is dropped.
    pub(super) async fn grow(&mut self, bytes: usize) -> Result<(), GivenUp> {
        let shared = Arc::clone(&self.shared);
        let mut is_first = true;
        loop {
            // Registered before the check, so that a change between check and wait is not missed.
            let freed = shared.freed.notified();
            tokio::pin!(freed);
            freed.as_mut().enable();
            {
                let mut state = shared.state();
                let progress = state.step();
                if !state.unfinished.contains_key(&self.id) {
                    return Err(GivenUp);
                }
                state.make_room(self.id, bytes, shared.total);
                let fits = state.reserved + bytes <= shared.total;
                if let Some(body) = state.unfinished.get_mut(&self.id) {
                    if is_first {
                        body.progress = progress;
                    }
                    if fits {
                        body.bytes += bytes;
                    }
                }
                if fits {
                    self.bytes += bytes;
                    state.reserved += bytes;
                    shared.show(&state);
                    return Ok(());
                }
            }
            is_first = false;
            tokio::select! {
                () = freed => {}
                () = self.given_up.cancelled() => return Err(GivenUp),
            }
        }
    }

    /// Notes that all parts have arrived. From now on the body cannot be evicted. Returns `false` if it already was.
    pub(super) fn complete(&self) -> bool {
        self.shared.state().unfinished.remove(&self.id).is_some()
    }

    /// Ends when another body needs the memory.
    pub(super) async fn given_up(&self) {
        self.given_up.cancelled().await;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.reserved -= self.bytes;
        state.unfinished.remove(&self.id);
        if self.given_up.is_cancelled() {
            state.leaving -= self.bytes;
        }
        self.shared.show(&state);
        drop(state);
        self.shared.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn the_body_without_progress_for_longest_makes_room() {
        let gauge = Gauge::default();
        let budget = Budget::new(100, gauge.clone());
        let [mut first, mut second, mut third] = [(); 3].map(|()| budget.begin());
        assert_eq!(first.grow(30).now_or_never(), Some(Ok(())));
        assert_eq!(second.grow(30).now_or_never(), Some(Ok(())));
        assert_eq!(first.grow(30).now_or_never(), Some(Ok(())));
        assert_eq!(gauge.get(), 90);

        // Memory is not handed out twice: that of `second` is free when its owner has dropped it.
        assert_eq!(third.grow(30).now_or_never(), None);
        assert!(second.given_up.is_cancelled() && !first.given_up.is_cancelled());
        assert_eq!(second.grow(1).now_or_never(), Some(Err(GivenUp)));
        assert!(!second.complete());
        drop(second);
        assert_eq!(third.grow(30).now_or_never(), Some(Ok(())));
        assert_eq!(gauge.get(), 90);
        drop((first, third));
        assert_eq!(gauge.get(), 0);
    }

    #[test]
    fn no_body_is_given_up_in_vain() {
        let budget = Budget::new(100, Gauge::default());
        let [mut complete, mut slow, mut new] = [(); 3].map(|()| budget.begin());
        assert_eq!(complete.grow(80).now_or_never(), Some(Ok(())));
        assert!(complete.complete());
        assert_eq!(slow.grow(10).now_or_never(), Some(Ok(())));

        // Even without `slow` there would not be enough memory.
        assert_eq!(new.grow(30).now_or_never(), None);
        assert!(!slow.given_up.is_cancelled());
        drop(complete);
        assert_eq!(new.grow(30).now_or_never(), Some(Ok(())));
        assert!(!slow.given_up.is_cancelled());
    }

    #[test]
    fn complete_bodies_are_kept_and_waited_for() {
        let gauge = Gauge::default();
        let budget = Budget::new(100, gauge.clone());
        let [mut first, mut second] = [(); 2].map(|()| budget.begin());
        assert_eq!(first.grow(80).now_or_never(), Some(Ok(())));
        assert!(first.complete());
        assert_eq!(second.grow(80).now_or_never(), None);
        assert!(!first.given_up.is_cancelled());
        drop(first);
        assert_eq!(second.grow(80).now_or_never(), Some(Ok(())));
        assert_eq!(gauge.get(), 80);
    }
}
