//! Limits the number of connections, and chooses the one that is closed for a new one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The connections of one server. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    max: usize,
    state: Mutex<State>,
    /// Notifies the accept loop when a slot may have become available.
    changed: Notify,
    /// Cancelled when the server ends.
    closing: CancellationToken,
}

#[derive(Debug, Default)]
struct State {
    /// Counts all events, as a clock with unique times.
    steps: u64,
    next_id: u64,
    open: BTreeMap<u64, Open>,
}

#[derive(Debug)]
struct Open {
    /// The step since which the server has been waiting for the client.
    waiting_since: u64,
    /// Requests whose body has not arrived completely.
    unfinished: usize,
    /// Requests that are being answered.
    working: usize,
    evicted: CancellationToken,
}

impl Slots {
    pub(crate) fn new(max: usize) -> Self {
        Self {
            shared: Arc::new(Shared {
                max: max.max(1),
                state: Mutex::default(),
                changed: Notify::new(),
                closing: CancellationToken::new(),
            }),
        }
    }

    /// Takes a slot. If none is free, evicts the connection whose client has been idle longest, or else the one whose request
    /// has been unfinished longest. Waits while every connection is being answered.
    pub(crate) async fn take(&self) -> Slot {
        loop {
            // Registered before the check, so that a change between check and wait is not missed.
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(slot) = self.try_take() {
                return slot;
            }
            changed.await;
        }
    }

    fn try_take(&self) -> Option<Slot> {
        let mut state = self.shared.state();
        if state.open.len() >= self.shared.max && !state.evict() {
            return None;
        }
        Some(self.open(&mut state))
    }

    /// Takes a slot beyond the limit, for a connection that was accepted just before the server ends.
    pub(crate) fn take_extra(&self) -> Slot {
        self.open(&mut self.shared.state())
    }

    /// Evicts the connection whose client has kept the server waiting longest, if there is one.
    pub(crate) fn evict(&self) {
        self.shared.state().evict();
    }

    /// Notifies all connections that the server ends.
    pub(crate) fn close(&self) {
        self.shared.closing.cancel();
    }

    fn open(&self, state: &mut State) -> Slot {
        let id = state.next_id;
        state.next_id += 1;
        let evicted = CancellationToken::new();
        let open = Open {
            waiting_since: state.step(),
            unfinished: 0,
            working: 0,
            evicted: evicted.clone(),
        };
        state.open.insert(id, open);
        Slot {
            shared: Arc::clone(&self.shared),
            id,
            evicted,
            asked: CancellationToken::new(),
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the counts of a connection, unless it was evicted.
    fn change(&self, id: u64, change: impl FnOnce(&mut Open)) {
        let mut state = self.state();
        let step = state.step();
        if let Some(open) = state.open.get_mut(&id) {
            change(open);
            open.waiting_since = step;
        }
        drop(state);
        self.changed.notify_one();
    }
}

impl State {
    fn step(&mut self) -> u64 {
        self.steps += 1;
        self.steps
    }

    fn evict(&mut self) -> bool {
        let waiting = self.open.iter().filter(|(_, open)| open.working == 0);
        let longest = waiting.min_by_key(|(_, open)| (open.unfinished > 0, open.waiting_since));
        let Some(id) = longest.map(|(id, _)| *id) else {
            return false;
        };
        if let Some(open) = self.open.remove(&id) {
            open.evicted.cancel();
        }
        true
    }
}

/// The slot of one connection. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot {
    shared: Arc<Shared>,
    id: u64,
    evicted: CancellationToken,
    asked: CancellationToken,
}

impl Slot {
    /// Notes that the head of a request has arrived.
    pub(crate) fn begin(&self) -> InRequest {
        self.asked.cancel();
        self.shared.change(self.id, |open| open.unfinished += 1);
        InRequest {
            shared: Arc::clone(&self.shared),
            id: self.id,
            is_complete: false,
        }
    }

    /// Ends when the first request has arrived.
    pub(crate) async fn asked(&self) {
        self.asked.cancelled().await;
    }

    /// Ends when another connection needs the slot.
    pub(crate) async fn evicted(&self) {
        self.evicted.cancelled().await;
    }

    /// Ends when the server ends.
    pub(crate) async fn closing(&self) {
        self.shared.closing.cancelled().await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.shared.state().open.remove(&self.id);
        self.shared.changed.notify_one();
    }
}

/// A request of a connection. Dropping it marks the request as answered.
#[derive(Debug)]
pub(crate) struct InRequest {
    shared: Arc<Shared>,
    id: u64,
    is_complete: bool,
}

impl InRequest {
    /// Notes that the body has arrived. From now on the client waits for the server, and the connection is not evicted.
    pub(crate) fn complete(&mut self) {
        if !self.is_complete {
            self.is_complete = true;
            self.shared.change(self.id, |open| {
                open.unfinished -= 1;
                open.working += 1;
            });
        }
    }
}

impl Drop for InRequest {
    fn drop(&mut self) {
        let is_complete = self.is_complete;
        self.shared.change(self.id, |open| {
            if is_complete {
                open.working -= 1;
            } else {
                open.unfinished -= 1;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn take(slots: &Slots) -> Option<Slot> {
        slots.take().now_or_never()
    }

    #[test]
    fn the_longest_idle_is_evicted_first_and_the_working_never() {
        let slots = Slots::new(3);
        let [first, second, third] = [(); 3].map(|()| take(&slots).unwrap());
        let mut working = first.begin();
        working.complete();
        let unfinished = second.begin();

        // `third` came last, but the others have sent data since.
        let fourth = take(&slots).unwrap();
        assert!(third.evicted.is_cancelled());
        let fifth = take(&slots).unwrap();
        assert!(fourth.evicted.is_cancelled());
        let mut fifth_works = fifth.begin();
        fifth_works.complete();
        // No connection is idle now, so an unfinished request is evicted.
        let sixth = take(&slots).unwrap();
        assert!(second.evicted.is_cancelled());
        let mut sixth_works = sixth.begin();
        sixth_works.complete();
        assert!(take(&slots).is_none(), "everyone is being answered");
        assert!(!first.evicted.is_cancelled());

        drop(working);
        let _seventh = take(&slots).unwrap();
        assert!(first.evicted.is_cancelled(), "it was answered, and is idle again");
        drop((unfinished, fifth_works, sixth_works));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slot_that_becomes_free_is_noticed() {
        let slots = Slots::new(1);
        let only = slots.take().await;
        let mut request = only.begin();
        request.complete();
        let waiting = tokio::spawn({
            let slots = slots.clone();
            async move { slots.take().await.id }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop((request, only));
        assert_eq!(waiting.await.unwrap(), 1);
    }
}
