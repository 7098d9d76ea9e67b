//! The queue: its state in a lock, and the notification of waiting workers.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::Priority;
use super::limiter::{RateLimiter, default_limiter};
use super::state::{State, Taken};
use crate::metrics::{Metrics, QueueMetrics, Refresh};

/// A type that can be in a queue.
pub trait Key: Clone + Eq + Hash + Send + 'static {}

impl<T: Clone + Eq + Hash + Send + 'static> Key for T {}

/// A queue of keys that need work. Clones are the same queue.
///
/// ```
/// use kgen_runtime::queue::WorkQueue;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
/// # runtime.block_on(async {
/// let queue = WorkQueue::default();
/// queue.add("default/a");
/// queue.add("default/b");
/// queue.add("default/a"); // already queued
///
/// let worker = tokio::spawn({
///     let queue = queue.clone();
///     async move {
///         let mut seen = Vec::new();
///         while let Some(item) = queue.get().await {
///             seen.push(*item);
///             // A failure: `queue.add_rate_limited(*item)`. A success:
///             queue.forget(&item);
///         } // Dropping the item marks it as done.
///         seen
///     }
/// });
/// queue.shutdown_with_drain().await;
/// assert_eq!(worker.await?, ["default/a", "default/b"]);
/// # Ok::<(), tokio::task::JoinError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WorkQueue<K: Key> {
    shared: Arc<Shared<K>>,
}

struct Shared<K: Key> {
    inner: Mutex<Inner<K>>,
    /// Gets one permit for each key that becomes ready; all waiters are woken when the next delay or the end changes.
    changed: Notify,
    /// Wakes all waiters when the queue may have become idle.
    idle: Notify,
    metrics: Option<QueueMetrics>,
}

struct Inner<K: Key> {
    state: State<K>,
    limiter: Box<dyn RateLimiter<K>>,
    draining: bool,
}

impl<K: Key> WorkQueue<K> {
    /// Starts to configure a queue with a name, metrics or a limiter.
    pub fn builder() -> Builder<K> {
        Builder {
            name: None,
            metrics: None,
            limiter: None,
        }
    }

    /// Adds a key, unless it is already queued or the queue is shutting down.
    pub fn add(&self, key: K) {
        self.at(Priority::NORMAL).add(key);
    }

    /// Adds a key after `delay`, or immediately if it is zero. If a key has several delays, the earliest one counts. The level is
    /// that of the worker that has the key, if any.
    pub fn add_after(&self, key: K, delay: Duration) {
        self.add_later(key, None, |_, _| Some((delay, false)));
    }

    /// Adds a key after the delay of the limiter, to retry it after a failure. The level is that of the worker that has the key,
    /// if any.
    ///
    /// If an earlier retry of the key is still waiting, this call does nothing, because another event caused the
    /// attempt that failed.
    pub fn add_rate_limited(&self, key: K) {
        self.add_later(key, None, limited_delay);
    }

    /// Returns a view of this queue that adds keys at another level.
    pub fn at(&self, priority: Priority) -> AtPriority<'_, K> {
        AtPriority {
            queue: self,
            priority,
        }
    }

    /// Forgets the failures of a key, after a success or after the last attempt. It does not remove the key from the queue.
    pub fn forget(&self, key: &K) {
        let mut inner = self.shared.inner();
        inner.limiter.forget(key);
        inner.state.forget_limited_retry(key);
    }

    /// Replaces the limiter of [`Self::add_rate_limited`]. Earlier failures are forgotten.
    pub(crate) fn set_limiter(&self, limiter: impl RateLimiter<K>) {
        self.shared.inner().limiter = Box::new(limiter);
    }

    /// Returns the number of failures of a key since it was last forgotten.
    pub fn num_requeues(&self, key: &K) -> usize {
        self.shared.inner().limiter.num_requeues(key)
    }

    /// Waits for the next key. Returns `None` when the queue is shutting down and empty.
    ///
    /// This method is cancel safe.
    pub async fn get(&self) -> Option<Item<K>> {
        loop {
            // Registered before the check, so that a change between check and wait is not missed.
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let next_due = match self.look() {
                Look::Found(Taken { key, priority, .. }) => {
                    return Some(Item {
                        queue: self.clone(),
                        key,
                        priority,
                    });
                }
                Look::Over => return None,
                Look::Empty { next_due } => next_due,
            };
            match next_due {
                Some(due) => tokio::select! {
                    () = changed => {}
                    () = sleep_until(due) => {}
                },
                None => changed.await,
            }
        }
    }

    /// Returns the number of keys that are ready for a worker.
    pub fn len(&self) -> usize {
        let now = Instant::now();
        self.change(now, |_| Woken::None);
        self.shared.inner().state.ready()
    }

    /// Returns whether no key is ready for a worker.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rejects new keys. Workers still get the queued keys, and then `None`. Delayed keys that are not due are dropped.
    ///
    /// Also ends calls of [`Self::shutdown_with_drain`].
    pub fn shutdown(&self) {
        self.close(false);
    }

    /// Rejects new keys and drops the queued ones. Workers finish their keys, and then get `None`.
    pub fn shutdown_now(&self) {
        let now = Instant::now();
        self.change(now, |inner| {
            inner.state.shut_down();
            inner.state.clear();
            inner.draining = false;
            Woken::All
        });
        self.shared.idle.notify_waiters();
    }

    /// Returns whether the queue is shutting down.
    pub fn is_shutting_down(&self) -> bool {
        self.shared.inner().state.is_shutting_down()
    }

    /// Like [`Self::shutdown`], but waits until all keys are done.
    ///
    /// Without workers, it ends only when [`Self::shutdown`] is called.
    pub async fn shutdown_with_drain(&self) {
        self.close(true);
        loop {
            let idle = self.shared.idle.notified();
            tokio::pin!(idle);
            idle.as_mut().enable();
            {
                let inner = self.shared.inner();
                if inner.state.is_idle() || !inner.draining {
                    return;
                }
            }
            idle.await;
        }
    }

    fn close(&self, draining: bool) {
        let now = Instant::now();
        self.change(now, |inner| {
            inner.state.shut_down();
            inner.draining = draining;
            Woken::All
        });
        self.shared.idle.notify_waiters();
    }

    /// Adds a key after the delay that `delay` returns, if it returns one, and whether it is a retry of the limiter.
    fn add_later(
        &self,
        key: K,
        priority: Option<Priority>,
        delay: impl FnOnce(&mut Inner<K>, &K) -> Option<(Duration, bool)>,
    ) {
        let now = Instant::now();
        self.change(now, |inner| {
            if inner.state.is_shutting_down() {
                return Woken::None;
            }
            if let Some(metrics) = &self.shared.metrics {
                metrics.retries.inc();
            }
            let priority = priority
                .or_else(|| inner.state.priority_in_work(&key))
                .unwrap_or_default();
            let Some((delay, limited)) = delay(inner, &key) else {
                inner.state.raise_delayed(&key, priority);
                return Woken::None;
            };
            if delay.is_zero() {
                return inner.state.add(key, priority, now).into();
            }
            match now.checked_add(delay) {
                Some(due) if inner.state.add_at(key, priority, due, limited) => Woken::All,
                // Later than any clock can show is never.
                _ => Woken::None,
            }
        });
    }

    /// Queues the keys that are due, changes the state, and wakes the affected waiters.
    fn change(&self, now: Instant, change: impl FnOnce(&mut Inner<K>) -> Woken) {
        let mut inner = self.shared.inner();
        let due = inner.state.promote(now);
        let woken = change(&mut inner);
        drop(inner);
        self.shared.added(due);
        match woken {
            Woken::None => {}
            Woken::One => self.shared.added(1),
            Woken::All => self.shared.changed.notify_waiters(),
        }
    }

    fn look(&self) -> Look<K> {
        let now = Instant::now();
        let mut inner = self.shared.inner();
        let due = inner.state.promote(now);
        let look = match inner.state.take(now) {
            Some(taken) => {
                if let Some(metrics) = &self.shared.metrics {
                    metrics.queue_duration.observe(taken.waited.as_secs_f64());
                }
                Look::Found(taken)
            }
            None if inner.state.is_shutting_down() => Look::Over,
            None => Look::Empty {
                next_due: inner.state.next_due(),
            },
        };
        drop(inner);
        self.shared.added(due);
        look
    }

    fn done(&self, key: &K) {
        let now = Instant::now();
        let mut inner = self.shared.inner();
        let done = inner.state.done(key, now);
        let idle = inner.state.is_idle();
        drop(inner);
        let Some((took, again)) = done else { return };
        if let Some(metrics) = &self.shared.metrics {
            metrics.work_duration.observe(took.as_secs_f64());
        }
        if again {
            self.shared.changed.notify_one();
        }
        if idle {
            self.shared.idle.notify_waiters();
        }
    }
}

impl<K: Key> Shared<K> {
    fn inner(&self) -> MutexGuard<'_, Inner<K>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes a worker for each of `keys` new keys.
    fn added(&self, keys: usize) {
        for _ in 0..keys {
            self.changed.notify_one();
        }
        if let Some(metrics) = self.metrics.as_ref().filter(|_| keys > 0) {
            metrics.adds.inc_by(u64::try_from(keys).unwrap_or(u64::MAX));
        }
    }
}

/// A queue that no longer exists is empty.
impl<K: Key> Drop for Shared<K> {
    fn drop(&mut self) {
        if let Some(metrics) = &self.metrics {
            metrics.show_depth(&BTreeMap::new());
        }
    }
}

impl<K: Key> Refresh for Shared<K> {
    fn refresh(&self) {
        let now = Instant::now();
        let mut inner = self.inner();
        let due = inner.state.promote(now);
        if let Some(metrics) = &self.metrics {
            metrics.show_depth(inner.state.depth());
        }
        let (sum, longest) = inner.state.work_in_progress(now);
        drop(inner);
        self.added(due);
        if let Some(metrics) = &self.metrics {
            metrics.unfinished_work.set(sum.as_secs_f64());
            metrics.longest_running.set(longest.as_secs_f64());
        }
    }
}

/// The state that a worker observes.
enum Look<K> {
    Found(Taken<K>),
    Empty { next_due: Option<Instant> },
    Over,
}

/// The waiters that a change affects.
enum Woken {
    None,
    One,
    All,
}

impl From<bool> for Woken {
    fn from(added: bool) -> Self {
        if added { Self::One } else { Self::None }
    }
}

impl<K: Key> Clone for WorkQueue<K> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<K: Key> Default for WorkQueue<K> {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl<K: Key> fmt::Debug for WorkQueue<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("WorkQueue")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// A view of a queue that adds keys at one level. See [`WorkQueue::at`].
pub struct AtPriority<'a, K: Key> {
    queue: &'a WorkQueue<K>,
    priority: Priority,
}

impl<K: Key> AtPriority<'_, K> {
    /// Like [`WorkQueue::add`]. A key that is already queued keeps its place among the keys of the higher level.
    pub fn add(&self, key: K) {
        let now = Instant::now();
        self.queue
            .change(now, |inner| inner.state.add(key, self.priority, now).into());
    }

    /// Like [`WorkQueue::add_after`].
    pub fn add_after(&self, key: K, delay: Duration) {
        self.queue
            .add_later(key, Some(self.priority), |_, _| Some((delay, false)));
    }

    /// Like [`WorkQueue::add_rate_limited`].
    pub fn add_rate_limited(&self, key: K) {
        self.queue.add_later(key, Some(self.priority), limited_delay);
    }
}

impl<K: Key> fmt::Debug for AtPriority<'_, K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AtPriority")
            .field("priority", &self.priority)
            .finish_non_exhaustive()
    }
}

/// Returns the delay of the limiter, unless a retry of the key is already waiting.
fn limited_delay<K: Key>(inner: &mut Inner<K>, key: &K) -> Option<(Duration, bool)> {
    (!inner.state.has_limited_retry(key)).then(|| (inner.limiter.when(key), true))
}

/// A key that a worker has taken. Dropping it marks the key as done.
#[must_use = "dropping the item marks it as done"]
pub struct Item<K: Key> {
    queue: WorkQueue<K>,
    key: K,
    priority: Priority,
}

impl<K: Key> Item<K> {
    /// Returns the key.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// Returns the level that the key had in the queue.
    pub fn priority(&self) -> Priority {
        self.priority
    }

    /// Marks the key as done, after a success or a failure. This is the same as dropping the item.
    pub fn done(self) {}
}

impl<K: Key> Deref for Item<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.key
    }
}

impl<K: Key> Drop for Item<K> {
    fn drop(&mut self) {
        self.queue.done(&self.key);
    }
}

impl<K: Key + fmt::Debug> fmt::Debug for Item<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Item").field(&self.key).finish()
    }
}

/// Builds a [`WorkQueue`].
#[must_use]
pub struct Builder<K: Key> {
    name: Option<String>,
    metrics: Option<Metrics>,
    limiter: Option<Box<dyn RateLimiter<K>>>,
}

impl<K: Key> Builder<K> {
    /// Sets the labels `name` and `controller` of the metrics. A queue without a name does not have metrics.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the registry of the metrics.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.metrics = Some(metrics.clone());
        self
    }

    /// Sets the limiter of [`WorkQueue::add_rate_limited`]. The default is [`default_limiter`].
    pub fn rate_limiter(mut self, limiter: impl RateLimiter<K>) -> Self {
        self.limiter = Some(Box::new(limiter));
        self
    }

    /// Builds the queue.
    pub fn build(self) -> WorkQueue<K> {
        let named = self.metrics.as_ref().zip(self.name.as_deref());
        let shared = Arc::new(Shared {
            inner: Mutex::new(Inner {
                state: State::new(),
                limiter: self.limiter.unwrap_or_else(|| Box::new(default_limiter())),
                draining: false,
            }),
            changed: Notify::new(),
            idle: Notify::new(),
            metrics: named.map(|(metrics, name)| metrics.queue(name)),
        });
        if let Some((metrics, _)) = named {
            let refresher: Weak<dyn Refresh> = Arc::downgrade(&(Arc::clone(&shared) as Arc<dyn Refresh>));
            metrics.refresh_with(refresher);
        }
        WorkQueue { shared }
    }
}

impl<K: Key> fmt::Debug for Builder<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Builder")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
