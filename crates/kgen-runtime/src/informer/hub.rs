//! Coordinates threads. Every change of the cache and every new handler goes through one mutex, so that a handler sees
//! each change exactly once: either in its initial objects, or as an event. Readers take only the lock of the cache,
//! and never wait for handlers.
//!
//! Handlers have unbounded queues, so sending to them does not block.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use kube::Resource;
use prometheus_client::metrics::gauge::Gauge;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::time::Instant;

use super::event::AnyEvent;
use super::index::{ByKey, IndexFunction, key};
use super::report::Reporter;
use super::unreadable::Noted;
use super::{Cache, Change, Event, Unreadable};
use crate::Result;
use crate::metrics::Refresh;

/// A message in a handler's queue.
pub(crate) enum Message<K> {
    /// Something has changed.
    Event(AnyEvent<K>),
    /// All initial objects have been sent.
    Synced,
    /// The replay that the handler requested is complete.
    Resynced,
}

/// How far an informer is.
#[derive(Clone, Debug, Default)]
pub(super) struct Status {
    /// Every first list is in the cache.
    pub(super) synced: bool,
    /// No more events will come.
    pub(super) closed: bool,
    /// The server does not have the kind at present.
    pub(super) missing: bool,
    /// The last error of each watch that has not worked since, by namespace; `None` is the watch of all namespaces.
    pub(super) errors: BTreeMap<Option<String>, String>,
}

impl Status {
    /// Returns the errors of all watches, with their namespaces.
    pub(super) fn last_error(&self) -> Option<String> {
        let errors: Vec<_> = self
            .errors
            .iter()
            .map(|(namespace, error)| match namespace {
                Some(namespace) => format!("namespace {namespace}: {error}"),
                None => error.clone(),
            })
            .collect();
        (!errors.is_empty()).then(|| errors.join("; "))
    }
}

/// The cache of one informer and the queues of its handlers.
pub(super) struct Hub<K> {
    cache: Arc<RwLock<Cache<K>>>,
    fan_out: Mutex<FanOut<K>>,
    status: watch::Sender<Status>,
    reporter: Reporter,
}

struct FanOut<K> {
    queues: BTreeMap<u64, Queue<K>>,
    /// The time of the last change, or of the creation.
    last_event: Instant,
    next_queue: u64,
    /// The number of first lists that are not complete yet.
    pending_lists: usize,
}

/// The queue of one handler.
struct Queue<K> {
    sender: UnboundedSender<Message<K>>,
    /// The number of messages in the queue. The handler decreases it.
    length: Gauge,
}

impl<K> Queue<K> {
    fn send(&self, message: Message<K>) {
        // A closed queue belongs to a handler that is being dropped, which removes the queue itself.
        if self.sender.send(message).is_ok() {
            self.length.inc();
        }
    }
}

/// The receiving end of a queue.
pub(super) struct Subscription<K> {
    pub(super) id: u64,
    pub(super) receiver: UnboundedReceiver<Message<K>>,
    pub(super) length: Gauge,
}

impl<K> FanOut<K> {
    fn send(&mut self, event: AnyEvent<K>) {
        self.last_event = Instant::now();
        let mut queues = self.queues.values();
        let last = queues.next_back();
        for queue in queues {
            queue.send(Message::Event(event.clone()));
        }
        if let Some(queue) = last {
            queue.send(Message::Event(event));
        }
    }
}

impl<K: Resource> Hub<K> {
    /// Returns a hub that is fed by `lists` watches.
    pub(super) fn new(lists: usize, reporter: Reporter) -> Self {
        Self {
            cache: Arc::new(RwLock::new(Cache::new())),
            fan_out: Mutex::new(FanOut {
                queues: BTreeMap::new(),
                last_event: Instant::now(),
                next_queue: 0,
                pending_lists: lists,
            }),
            status: watch::Sender::new(Status::default()),
            reporter,
        }
    }

    /// Sets the number of watches that will feed the hub, before the first one starts.
    pub(super) fn expect_lists(&self, lists: usize) {
        self.lock().pending_lists = lists;
    }

    pub(super) fn cache(&self) -> &Arc<RwLock<Cache<K>>> {
        &self.cache
    }

    pub(super) fn status(&self) -> watch::Receiver<Status> {
        self.status.subscribe()
    }

    /// Stores an object from the server and notifies the handlers. `initial` means that it was in a first list, and
    /// `json` is the response of the server. An object on which an index function panics is left out.
    pub(super) fn insert(&self, object: &Arc<K>, initial: bool, json: Option<&RawValue>) {
        let mut fan_out = self.lock();
        let (namespace, name) = key(&**object);
        // Index functions run before any change, so a panic leaves the cache unchanged.
        let inserted = catch_unwind(AssertUnwindSafe(|| {
            self.write(|cache| {
                let change = cache.insert(Arc::clone(object));
                (change, cache.forget_unreadable(namespace, name))
            })
        }));
        let Ok((change, unreadable)) = inserted else {
            self.reporter.object_panicked("an index function has panicked");
            let reason = "an index function panics on it";
            let unreadable = Unreadable::of_object(&**object, json, reason);
            return self.note(&mut fan_out, &Arc::new(unreadable));
        };
        self.reporter.object_kept();
        if unreadable.is_some() {
            self.reporter.metrics().unreadable.dec();
            self.reporter.readable_again((namespace, name));
        }
        match change {
            Change::Unchanged => {}
            Change::Added => fan_out.send(Event::Added {
                object: Arc::clone(object),
                initial,
            }),
            Change::Replaced(old) if is_other_object(&*old, &**object) => {
                fan_out.send(Event::Deleted {
                    object: old,
                    final_state_known: false,
                });
                fan_out.send(Event::Added {
                    object: Arc::clone(object),
                    initial: false,
                });
            }
            Change::Replaced(old) => fan_out.send(Event::Updated {
                old,
                new: Arc::clone(object),
            }),
        }
    }

    /// Reports an unreadable object and notifies the handlers that want these events. The cache keeps the last readable
    /// version.
    pub(super) fn unreadable(&self, object: &Arc<Unreadable>) {
        let mut fan_out = self.lock();
        self.note(&mut fan_out, object);
    }

    fn note(&self, fan_out: &mut FanOut<K>, object: &Arc<Unreadable>) {
        let (namespace, name) = object.key();
        let replaced = self.write(|cache| {
            let cached = cache.get(Some(namespace), name)?;
            let is_other = is_other_uid(cached.meta().uid.as_deref(), object.uid.as_deref());
            is_other.then(|| cache.remove(Some(namespace), name)).flatten()
        });
        // The cached object was deleted in a gap of the watch, and the unreadable object has the same name.
        if let Some(cached) = replaced {
            fan_out.send(Event::Deleted {
                object: cached,
                final_state_known: false,
            });
        }
        match self.write(|cache| cache.note_unreadable(object)) {
            Noted::Known => return,
            Noted::New => drop(self.reporter.metrics().unreadable.inc()),
            Noted::NewVersion => {}
        }
        self.reporter.unreadable(object);
        fan_out.send(Event::Unreadable {
            object: Arc::clone(object),
            deleted: false,
        });
    }

    /// Removes an object that the server has deleted. `object` is its last state if that is known, otherwise any state.
    pub(super) fn remove(&self, object: Arc<K>, final_state_known: bool) {
        let (namespace, name) = key(&*object);
        self.remove_key(namespace, name, final_state_known.then_some(&object));
    }

    /// Removes the object of that namespace and name, which the server has deleted in the state `last`, if that is
    /// known.
    pub(super) fn remove_key(&self, namespace: &str, name: &str, last: Option<&Arc<K>>) {
        let mut fan_out = self.lock();
        let (cached, unreadable) = self.write(|cache| {
            let cached = cache.remove(Some(namespace), name);
            (cached, cache.forget_unreadable(namespace, name))
        });
        if unreadable.is_some() {
            self.reporter.metrics().unreadable.dec();
        }
        match (cached, unreadable) {
            (Some(cached), _) => fan_out.send(Event::Deleted {
                object: last.map_or(cached, Arc::clone),
                final_state_known: last.is_some(),
            }),
            (None, Some(object)) => fan_out.send(Event::Unreadable {
                object,
                deleted: true,
            }),
            (None, None) => {}
        }
    }

    /// Returns the objects of one namespace, or all objects.
    pub(super) fn present(&self, namespace: Option<&str>) -> Vec<ByKey<K>> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        match namespace {
            Some(namespace) => cache.namespace(namespace).cloned().map(ByKey).collect(),
            None => cache.iter().cloned().map(ByKey).collect(),
        }
    }

    /// Returns the object of that namespace and name from the cache.
    pub(super) fn cached(&self, namespace: &str, name: &str) -> Option<Arc<K>> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        cache.get(Some(namespace), name).cloned()
    }

    /// Returns the unreadable objects of one namespace, or all of them.
    pub(super) fn unreadable_objects(&self, namespace: Option<&str>) -> Vec<Arc<Unreadable>> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        cache.unreadable_objects(namespace).cloned().collect()
    }

    /// Records that one of the watches has completed its first list.
    pub(super) fn first_list_done(&self) {
        let mut fan_out = self.lock();
        fan_out.pending_lists = fan_out.pending_lists.saturating_sub(1);
        if fan_out.pending_lists == 0 {
            for queue in fan_out.queues.values() {
                queue.send(Message::Synced);
            }
            self.status.send_modify(|status| status.synced = true);
        }
    }

    /// Remembers the error of the watch of `namespace`; `None` means that it works again.
    pub(super) fn note_error(&self, namespace: Option<&str>, error: Option<String>) {
        // The usual case: every event shows that the watch works.
        if error.is_none() && self.status.borrow().errors.is_empty() {
            return;
        }
        self.status.send_if_modified(|status| {
            let namespace = namespace.map(str::to_owned);
            match error {
                Some(error) => status.errors.insert(namespace, error.clone()) != Some(error),
                None => {
                    let was_there = status.errors.remove(&namespace).is_some();
                    status.missing &= !status.errors.is_empty();
                    was_there
                }
            }
        });
    }

    /// Remembers that the server does not have the kind, until a list works. Returns whether this is new.
    pub(super) fn note_missing(&self) -> bool {
        self.status
            .send_if_modified(|status| !std::mem::replace(&mut status.missing, true))
    }

    /// Adds an index over present and future objects.
    pub(super) fn add_index(&self, name: String, function: Arc<IndexFunction<K>>) -> Result<()> {
        let _no_changes_meanwhile = self.lock();
        self.write(|cache| cache.add_shared_index(name, function))
    }

    /// Returns a new queue that starts with all present objects.
    pub(super) fn subscribe(&self) -> Subscription<K> {
        let mut fan_out = self.lock();
        let (sender, receiver) = unbounded_channel();
        let id = fan_out.next_queue;
        fan_out.next_queue += 1;
        if self.status.borrow().closed {
            let length = Gauge::default();
            return Subscription { id, receiver, length };
        }
        let length = self.reporter.metrics().handler(id);
        let queue = Queue {
            sender,
            length: length.clone(),
        };
        for ByKey(object) in self.present(None) {
            queue.send(Message::Event(Event::Added {
                object,
                initial: true,
            }));
        }
        for object in self.unreadable_objects(None) {
            let deleted = false;
            queue.send(Message::Event(Event::Unreadable { object, deleted }));
        }
        if fan_out.pending_lists == 0 {
            queue.send(Message::Synced);
        }
        fan_out.queues.insert(id, queue);
        Subscription { id, receiver, length }
    }

    /// Replays all that is there to one queue.
    pub(super) fn resync(&self, id: u64) {
        let fan_out = self.lock();
        if let Some(queue) = fan_out.queues.get(&id) {
            for ByKey(object) in self.present(None) {
                queue.send(Message::Event(Event::Updated {
                    old: Arc::clone(&object),
                    new: object,
                }));
            }
            queue.send(Message::Resynced);
        }
    }

    fn write<R>(&self, change: impl FnOnce(&mut Cache<K>) -> R) -> R {
        // A panic under the lock comes from an index function, which runs before any change.
        change(&mut self.cache.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<K> Hub<K> {
    pub(super) fn reporter(&self) -> &Reporter {
        &self.reporter
    }

    pub(super) fn is_closed(&self) -> bool {
        self.status.borrow().closed
    }

    /// Ends every queue, and refuses new ones.
    pub(super) fn close(&self) {
        let mut fan_out = self.lock();
        let is_first = self
            .status
            .send_if_modified(|status| !std::mem::replace(&mut status.closed, true));
        for id in std::mem::take(&mut fan_out.queues).into_keys() {
            self.reporter.metrics().handler_ended(id);
        }
        if is_first {
            self.reporter.metrics().ended();
            // These objects are no longer watched.
            let unreadable = self
                .cache
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .unreadable_len();
            let unreadable = i64::try_from(unreadable).unwrap_or(i64::MAX);
            self.reporter.metrics().unreadable.dec_by(unreadable);
        }
    }

    /// Removes a queue. Removing it twice is harmless.
    pub(super) fn unsubscribe(&self, id: u64) {
        if self.lock().queues.remove(&id).is_some() {
            self.reporter.metrics().handler_ended(id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, FanOut<K>> {
        self.fan_out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Resource + Send + Sync> Refresh for Hub<K> {
    fn refresh(&self) {
        let idle = {
            let fan_out = self.lock();
            if self.is_closed() {
                return;
            }
            fan_out.last_event.elapsed()
        };
        let objects = self.cache.read().unwrap_or_else(PoisonError::into_inner).len();
        self.reporter.metrics().show(objects, idle);
    }
}

/// Returns whether an object was deleted and another one of the same name was created since.
fn is_other_object<K: Resource>(old: &K, new: &K) -> bool {
    is_other_uid(old.meta().uid.as_deref(), new.meta().uid.as_deref())
}

fn is_other_uid(old: Option<&str>, new: Option<&str>) -> bool {
    matches!((old, new), (Some(old), Some(new)) if old != new)
}
