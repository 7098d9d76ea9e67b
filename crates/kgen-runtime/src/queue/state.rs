//! The state of the queue, as a plain state machine without locks, timers or tasks. Every step gets the time as an
//! argument.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use tokio::time::Instant;

use super::levels::Levels;
use super::{Key, Priority};

#[derive(Debug)]
pub(super) struct State<K> {
    /// Keys that a worker can take. All of them are dirty and not in work.
    ready: Levels<K>,
    /// Keys that need work: the ready keys, and keys that changed while a worker has them.
    dirty: HashMap<K, Dirty>,
    in_work: HashMap<K, InWork>,
    delayed: Delayed<K>,
    /// The number of dirty keys of each level.
    depth: BTreeMap<Priority, usize>,
    shutting_down: bool,
}

/// A key that needs work.
#[derive(Debug)]
struct Dirty {
    /// The time of the first change.
    since: Instant,
    priority: Priority,
    /// The place among the ready keys, if it is one of them.
    place: Option<u64>,
}

/// A key that a worker has.
#[derive(Debug)]
struct InWork {
    since: Instant,
    priority: Priority,
}

/// A key for a worker.
#[derive(Debug)]
pub(super) struct Taken<K> {
    pub(super) key: K,
    pub(super) priority: Priority,
    /// How long the key has waited.
    pub(super) waited: Duration,
}

impl<K: Key> State<K> {
    pub(super) fn new() -> Self {
        Self {
            ready: Levels::new(),
            dirty: HashMap::new(),
            in_work: HashMap::new(),
            delayed: Delayed::new(),
            depth: BTreeMap::new(),
            shutting_down: false,
        }
    }

    /// Adds a key that changed at `now`. Returns whether the key did not need work already. A key that did keeps the
    /// earlier time and gets the higher level.
    pub(super) fn add(&mut self, key: K, priority: Priority, now: Instant) -> bool {
        if self.shutting_down {
            return false;
        }
        if let Some(dirty) = self.dirty.get_mut(&key) {
            if priority > dirty.priority {
                if let Some(place) = dirty.place {
                    self.ready.raise(place, dirty.priority, priority);
                }
                shrink(&mut self.depth, dirty.priority);
                *self.depth.entry(priority).or_default() += 1;
                dirty.priority = priority;
            }
            return false;
        }
        let is_free = !self.in_work.contains_key(&key);
        let dirty = Dirty {
            since: now,
            priority,
            place: is_free.then(|| self.ready.push(priority, key.clone())),
        };
        self.dirty.insert(key, dirty);
        *self.depth.entry(priority).or_default() += 1;
        true
    }

    /// Adds a key with a delay. Returns whether it is now the first of the delayed keys.
    pub(super) fn add_at(&mut self, key: K, priority: Priority, due: Instant, limited: bool) -> bool {
        if self.shutting_down {
            return false;
        }
        let before = self.delayed.next_due();
        self.delayed.insert(key, priority, due, limited);
        self.delayed.next_due() != before
    }

    /// Raises the level of a delayed key.
    pub(super) fn raise_delayed(&mut self, key: &K, priority: Priority) {
        if let Some(entry) = self.delayed.by_key.get_mut(key) {
            entry.priority = entry.priority.max(priority);
        }
    }

    /// Returns the level at which a worker has `key`.
    pub(super) fn priority_in_work(&self, key: &K) -> Option<Priority> {
        self.in_work.get(key).map(|work| work.priority)
    }

    /// Moves delayed keys that are due by `now` to the ready ones. Returns the number of keys that did not need work
    /// already.
    pub(super) fn promote(&mut self, now: Instant) -> usize {
        let mut added = 0;
        while let Some((key, priority, due)) = self.delayed.take_due(now) {
            added += usize::from(self.add(key, priority, due));
        }
        added
    }

    /// Returns the next key, for a worker.
    pub(super) fn take(&mut self, now: Instant) -> Option<Taken<K>> {
        let (key, priority) = self.ready.take()?;
        let since = self.dirty.remove(&key).map_or(now, |dirty| dirty.since);
        shrink(&mut self.depth, priority);
        let work = InWork { since: now, priority };
        self.in_work.insert(key.clone(), work);
        Some(Taken {
            key,
            priority,
            waited: now.saturating_duration_since(since),
        })
    }

    /// Marks `key` as done. Returns the time that the worker took, and whether the key is ready again because it
    /// changed meanwhile.
    pub(super) fn done(&mut self, key: &K, now: Instant) -> Option<(Duration, bool)> {
        let InWork { since, .. } = self.in_work.remove(key)?;
        let again = self.dirty.get_mut(key);
        let is_ready = again.is_some();
        if let Some(dirty) = again {
            dirty.place = Some(self.ready.push(dirty.priority, key.clone()));
        }
        Some((now.saturating_duration_since(since), is_ready))
    }

    /// Rejects new keys from now on. Delayed keys that are not due yet are lost.
    pub(super) fn shut_down(&mut self) {
        self.shutting_down = true;
        self.delayed = Delayed::new();
    }

    /// Drops every key that no worker has.
    pub(super) fn clear(&mut self) {
        self.ready = Levels::new();
        self.dirty.clear();
        self.depth.clear();
    }

    pub(super) fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// Returns whether no key is ready and none is in work.
    pub(super) fn is_idle(&self) -> bool {
        self.ready.len() == 0 && self.in_work.is_empty()
    }

    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Returns the number of keys that need work, including those that a worker has, by level.
    pub(super) fn depth(&self) -> &BTreeMap<Priority, usize> {
        &self.depth
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
                .map(|work| now.saturating_duration_since(work.since))
        };
        (ages().sum(), ages().max().unwrap_or_default())
    }
}

/// Counts one key of a level less.
fn shrink(depth: &mut BTreeMap<Priority, usize>, priority: Priority) {
    if let Some(count) = depth.get_mut(&priority) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            depth.remove(&priority);
        }
    }
}

/// Delayed keys, each with its earliest time and its highest level.
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
    priority: Priority,
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

    fn insert(&mut self, key: K, priority: Priority, due: Instant, limited: bool) {
        self.calls += 1;
        let at = (due, self.calls);
        match self.by_key.get_mut(&key) {
            Some(entry) => {
                entry.limited |= limited;
                entry.priority = entry.priority.max(priority);
                if due < entry.at.0 {
                    self.by_time.remove(&entry.at);
                    entry.at = at;
                    self.by_time.insert(at, key);
                }
            }
            None => {
                let entry = Entry {
                    at,
                    priority,
                    limited,
                };
                self.by_key.insert(key.clone(), entry);
                self.by_time.insert(at, key);
            }
        }
    }

    fn next_due(&self) -> Option<Instant> {
        self.by_time.first_key_value().map(|((due, _), _)| *due)
    }

    fn take_due(&mut self, now: Instant) -> Option<(K, Priority, Instant)> {
        let first = self.by_time.first_entry().filter(|first| first.key().0 <= now)?;
        let ((due, _), key) = first.remove_entry();
        let priority = self.by_key.remove(&key).map(|entry| entry.priority);
        Some((key, priority.unwrap_or_default(), due))
    }
}
