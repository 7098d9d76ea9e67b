//! The state of the queue, as a plain state machine without locks, timers or tasks. Every step gets the time as an
//! argument.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use super::Key;

#[derive(Debug)]
pub(super) struct State<K> {
    /// Keys that a worker can take, oldest first. All of them are dirty and not in work.
    ready: VecDeque<K>,
    /// Keys that need work, and the time of the change: the ready keys, and keys that changed while a worker has them.
    dirty: HashMap<K, Instant>,
    /// Keys that a worker has, and since when.
    in_work: HashMap<K, Instant>,
    delayed: Delayed<K>,
    shutting_down: bool,
}

impl<K: Key> State<K> {
    pub(super) fn new() -> Self {
        Self {
            ready: VecDeque::new(),
            dirty: HashMap::new(),
            in_work: HashMap::new(),
            delayed: Delayed::new(),
            shutting_down: false,
        }
    }

    /// Adds a key that changed at `now`. Returns whether the key did not need work already.
    pub(super) fn add(&mut self, key: K, now: Instant) -> bool {
        if self.shutting_down || self.dirty.contains_key(&key) {
            return false;
        }
        self.dirty.insert(key.clone(), now);
        if !self.in_work.contains_key(&key) {
            self.ready.push_back(key);
        }
        true
    }

    /// Adds a key with a delay. Returns whether it is now the first of the delayed keys.
    pub(super) fn add_at(&mut self, key: K, due: Instant, limited: bool) -> bool {
        if self.shutting_down {
            return false;
        }
        let before = self.delayed.next_due();
        self.delayed.insert(key, due, limited);
        self.delayed.next_due() != before
    }

    /// Moves delayed keys that are due by `now` to the ready ones. Returns the number of keys that did not need work
    /// already.
    pub(super) fn promote(&mut self, now: Instant) -> usize {
        let mut added = 0;
        while let Some((key, due)) = self.delayed.take_due(now) {
            added += usize::from(self.add(key, due));
        }
        added
    }

    /// Returns the first key, for a worker, and its waiting time.
    pub(super) fn take(&mut self, now: Instant) -> Option<(K, Duration)> {
        let key = self.ready.pop_front()?;
        let since = self.dirty.remove(&key).unwrap_or(now);
        self.in_work.insert(key.clone(), now);
        Some((key, now.saturating_duration_since(since)))
    }

    /// Marks `key` as done. Returns the time that the worker took, and whether the key is ready again because it
    /// changed meanwhile.
    pub(super) fn done(&mut self, key: &K, now: Instant) -> Option<(Duration, bool)> {
        let since = self.in_work.remove(key)?;
        let again = self.dirty.contains_key(key);
        if again {
            self.ready.push_back(key.clone());
        }
        Some((now.saturating_duration_since(since), again))
    }

    /// Rejects new keys from now on. Delayed keys that are not due yet are lost.
    pub(super) fn shut_down(&mut self) {
        self.shutting_down = true;
        self.delayed = Delayed::new();
    }

    /// Drops every key that no worker has.
    pub(super) fn clear(&mut self) {
        self.ready.clear();
        self.dirty.clear();
    }

    pub(super) fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// No key is ready and none is in work.
    pub(super) fn is_idle(&self) -> bool {
        self.ready.is_empty() && self.in_work.is_empty()
    }

    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Returns the keys that need work, including those that a worker has.
    pub(super) fn depth(&self) -> usize {
        self.dirty.len()
    }

    pub(super) fn next_due(&self) -> Option<Instant> {
        self.delayed.next_due()
    }

    /// Returns whether a retry of the limiter is still waiting.
    pub(super) fn has_limited_retry(&self, key: &K) -> bool {
        self.delayed.by_key.get(key).is_some_and(|entry| entry.limited)
    }

    /// Turns the waiting retry of `key`, if any, into a plain delay.
    pub(super) fn forget_limited_retry(&mut self, key: &K) {
        if let Some(entry) = self.delayed.by_key.get_mut(key) {
            entry.limited = false;
        }
    }

    /// Returns the sum and the maximum of the times of the work in progress.
    pub(super) fn work_in_progress(&self, now: Instant) -> (Duration, Duration) {
        let ages = || {
            self.in_work
                .values()
                .map(|since| now.saturating_duration_since(*since))
        };
        (ages().sum(), ages().max().unwrap_or_default())
    }
}

/// Delayed keys, each with its earliest time.
#[derive(Debug)]
struct Delayed<K> {
    by_key: HashMap<K, Entry>,
    /// Sorted by time and, for equal times, in the order of the calls.
    by_time: BTreeMap<(Instant, u64), K>,
    calls: u64,
}

#[derive(Debug)]
struct Entry {
    at: (Instant, u64),
    limited: bool,
}

impl<K: Key> Delayed<K> {
    fn new() -> Self {
        Self {
            by_key: HashMap::new(),
            by_time: BTreeMap::new(),
            calls: 0,
        }
    }

    fn insert(&mut self, key: K, due: Instant, limited: bool) {
        self.calls += 1;
        let at = (due, self.calls);
        match self.by_key.get_mut(&key) {
            Some(entry) => {
                entry.limited |= limited;
                if due < entry.at.0 {
                    self.by_time.remove(&entry.at);
                    entry.at = at;
                    self.by_time.insert(at, key);
                }
            }
            None => {
                self.by_key.insert(key.clone(), Entry { at, limited });
                self.by_time.insert(at, key);
            }
        }
    }

    fn next_due(&self) -> Option<Instant> {
        self.by_time.first_key_value().map(|((due, _), _)| *due)
    }

    fn take_due(&mut self, now: Instant) -> Option<(K, Instant)> {
        let first = self.by_time.first_entry().filter(|first| first.key().0 <= now)?;
        let ((due, _), key) = first.remove_entry();
        self.by_key.remove(&key);
        Some((key, due))
    }
}
