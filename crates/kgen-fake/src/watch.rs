//! Watches: each is a cursor into the log, so that nothing overflows, and nothing is lost or sent twice.
//!
//! A watch has no task. The client polls its stream, which reads the next change from the log or waits for one.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::state::{Shared, State};
use crate::status::Failure;
use crate::store::Change;
use crate::verbs::Follow;
use crate::verbs::list::{Filter, bookmark};
use crate::view::View;

/// The time between two bookmarks.
const BOOKMARK_INTERVAL: Duration = Duration::from_secs(60);
/// A last bookmark is sent so long before the watch ends.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);
/// How long a watch lasts if the client does not say it.
const TIMEOUT: Duration = Duration::from_secs(30 * 60);

/// An event of a watch.
#[derive(Clone)]
pub(crate) struct Event {
    pub(crate) kind: &'static str,
    pub(crate) object: View,
}

impl Event {
    pub(crate) fn new(kind: &'static str, object: View) -> Self {
        Self { kind, object }
    }
}

/// A running watch.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    id: u64,
    filter: Filter,
    queue: VecDeque<Event>,
    after: u64,
    bookmarks: Option<Instant>,
    deadline: Instant,
    /// The number of times that all watches were dropped.
    drops: u64,
    ended: bool,
}

impl Watch {
    pub(crate) fn start(shared: &Arc<Shared>, follow: Follow) -> Self {
        let now = Instant::now();
        let deadline = now + follow.timeout.unwrap_or(TIMEOUT);
        let mut queue = VecDeque::from(follow.initial);
        let ended = follow.failure.is_some();
        if let Some(failure) = &follow.failure {
            queue.push_back(error_event(failure));
        }
        let mut state = shared.lock();
        let id = state.next_watch;
        state.next_watch += 1;
        let seen = if queue.is_empty() { follow.after } else { 0 };
        state.watches.insert(id, seen);
        let drops = state.drops;
        drop(state);
        Self {
            shared: shared.clone(),
            id,
            filter: follow.filter,
            queue,
            after: follow.after,
            bookmarks: follow.sends_bookmarks.then(|| next_bookmark(now, deadline)),
            deadline,
            drops,
            ended,
        }
    }

    /// Returns the next event, or `None` when the watch ends.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            if self.ended {
                return None;
            }
            let mut changes = self.shared.changes.subscribe();
            self.take_changes();
            if !self.queue.is_empty() || self.ended {
                continue;
            }
            let bookmark_at = self.bookmarks.unwrap_or(self.deadline).min(self.deadline);
            tokio::select! {
                biased;
                _ = changes.changed() => {}
                () = tokio::time::sleep_until(bookmark_at) => {
                    let now = Instant::now();
                    if now >= self.deadline {
                        return None;
                    }
                    self.bookmarks = Some(next_bookmark(now, self.deadline));
                    let bookmark = View::Json(bookmark(&self.filter, self.after));
                    self.queue.push_back(Event::new("BOOKMARK", bookmark));
                }
            }
        }
    }

    /// Moves the cursor to the end of the log. Matching changes become events.
    fn take_changes(&mut self) {
        let shared = self.shared.clone();
        let mut state = shared.lock();
        if state.drops != self.drops || state.is_unavailable() {
            self.ended = true;
            return;
        }
        let compacted = state.store.compacted();
        if self.after < compacted && state.store.revision() > self.after && !self.is_covered(&state) {
            let message = format!("too old resource version: {} ({compacted})", self.after);
            self.queue.push_back(error_event(&Failure::expired(message)));
            self.ended = true;
            return;
        }
        let mut events = Vec::new();
        for change in state.store.changes_after(self.after) {
            if let Some(event) = event(&self.filter, change) {
                events.push(event);
            }
        }
        self.queue.extend(events);
        self.after = self.after.max(state.store.revision());
        state.watches.insert(self.id, self.after);
    }

    /// Returns whether no change after the cursor was forgotten.
    fn is_covered(&self, state: &State) -> bool {
        state.store.compacted() <= self.after
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().watches.remove(&self.id);
    }
}

fn next_bookmark(now: Instant, deadline: Instant) -> Instant {
    let regular = now + BOOKMARK_INTERVAL;
    match deadline.checked_sub(LAST_BOOKMARK) {
        Some(last) if now < last => regular.min(last),
        _ => regular,
    }
}

fn error_event(failure: &Failure) -> Event {
    Event::new("ERROR", View::Json(failure.status()))
}

/// Returns the event of a change: objects enter and leave the selection.
fn event(filter: &Filter, change: &Change) -> Option<Event> {
    if *change.resource != *filter.kind.resource || !change.key.starts_with(&filter.prefix) {
        return None;
    }
    let read = |stored| filter.kind.view(stored, &filter.version).ok();
    let old = change
        .old
        .as_ref()
        .and_then(read)
        .filter(|old| filter.matches(old.value()));
    let new = read(&change.new).filter(|new| filter.matches(new.value()));
    let event = |kind, object| Some(Event::new(kind, object));
    if change.deleted {
        old.as_ref()?;
        return event("DELETED", read(&change.new)?);
    }
    match (old, new) {
        (None, None) => None,
        (None, Some(new)) => event("ADDED", new),
        (Some(_), Some(new)) => event("MODIFIED", new),
        (Some(old), None) => {
            // The last state that was selected, with the version of the change.
            let mut old = old.into_value();
            crate::meta::set(&mut old, "resourceVersion", change.revision.to_string());
            event("DELETED", View::Json(old))
        }
    }
}
