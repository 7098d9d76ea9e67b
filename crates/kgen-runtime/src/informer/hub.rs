//! Where threads meet. Every change of the cache and every arrival of a handler passes through one mutex, so that a
//! handler sees each change exactly once: either in the objects it is first given, or as an event. Readers take only
//! the lock of the cache, and never wait for handlers.
//!
//! Sending to a handler is putting a message into its unbounded queue, so nothing here waits for anyone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use kube::Resource;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use super::index::{ByKey, IndexFunction, key};
use super::{Cache, Change, Event};
use crate::Result;

/// What goes through a handler's queue.
pub(crate) enum Message<K> {
    /// Something has changed.
    Event(Event<K>),
    /// All that was there in the beginning has been said.
    Synced,
    /// The replay that the handler asked for is complete.
    Resynced,
}

/// How far an informer is.
#[derive(Clone, Debug, Default)]
pub(super) struct Status {
    /// Every first list is in the cache.
    pub(super) synced: bool,
    /// No more events will come.
    pub(super) closed: bool,
    /// What the watch last complained about, until it works again.
    pub(super) last_error: Option<String>,
}

/// The cache of one informer and the queues of its handlers.
pub(super) struct Hub<K> {
    cache: Arc<RwLock<Cache<K>>>,
    fan_out: Mutex<FanOut<K>>,
    status: watch::Sender<Status>,
}

struct FanOut<K> {
    queues: BTreeMap<u64, UnboundedSender<Message<K>>>,
    next_queue: u64,
    /// First lists that are still to be completed.
    pending_lists: usize,
}

impl<K> FanOut<K> {
    fn send(&self, event: Event<K>) {
        // A closed queue belongs to a handler that is just going; it takes itself off.
        let mut queues = self.queues.values();
        let last = queues.next_back();
        for queue in queues {
            queue.send(Message::Event(event.clone())).ok();
        }
        if let Some(queue) = last {
            queue.send(Message::Event(event)).ok();
        }
    }
}

impl<K: Resource> Hub<K> {
    /// A hub that `lists` watches will feed.
    pub(super) fn new(lists: usize) -> Self {
        Self {
            cache: Arc::new(RwLock::new(Cache::new())),
            fan_out: Mutex::new(FanOut {
                queues: BTreeMap::new(),
                next_queue: 0,
                pending_lists: lists,
            }),
            status: watch::Sender::new(Status::default()),
        }
    }

    pub(super) fn cache(&self) -> &Arc<RwLock<Cache<K>>> {
        &self.cache
    }

    pub(super) fn status(&self) -> watch::Receiver<Status> {
        self.status.subscribe()
    }

    /// Stores an object that the server has shown and tells the handlers. `initial` says that it was in a first list.
    pub(super) fn insert(&self, object: &Arc<K>, initial: bool) {
        let fan_out = self.lock();
        let change = self.write(|cache| cache.insert(Arc::clone(object)));
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

    /// Drops an object that the server has deleted. `object` is its last state.
    pub(super) fn remove(&self, object: Arc<K>, final_state_known: bool) {
        let fan_out = self.lock();
        let (namespace, name) = key(&*object);
        if self.write(|cache| cache.remove(Some(namespace), name)).is_some() {
            fan_out.send(Event::Deleted {
                object,
                final_state_known,
            });
        }
    }

    /// The objects of one namespace, or all.
    pub(super) fn present(&self, namespace: Option<&str>) -> Vec<ByKey<K>> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        match namespace {
            Some(namespace) => cache.namespace(namespace).cloned().map(ByKey).collect(),
            None => cache.iter().cloned().map(ByKey).collect(),
        }
    }

    /// One of the watches has completed its first list.
    pub(super) fn first_list_done(&self) {
        let mut fan_out = self.lock();
        fan_out.pending_lists = fan_out.pending_lists.saturating_sub(1);
        if fan_out.pending_lists == 0 {
            for queue in fan_out.queues.values() {
                queue.send(Message::Synced).ok();
            }
            self.status.send_modify(|status| status.synced = true);
        }
    }

    /// Remembers what the watch complains about; `None` says that it works again.
    pub(super) fn note_error(&self, error: Option<String>) {
        self.status.send_if_modified(|status| {
            let changed = status.last_error != error;
            status.last_error = error;
            changed
        });
    }

    /// Adds an index over what is there and what comes.
    pub(super) fn add_index(&self, name: String, function: Arc<IndexFunction<K>>) -> Result<()> {
        let _no_changes_meanwhile = self.lock();
        self.write(|cache| cache.add_shared_index(name, function))
    }

    /// A new queue that begins with all that is there.
    pub(super) fn subscribe(&self) -> (u64, UnboundedReceiver<Message<K>>) {
        let mut fan_out = self.lock();
        let (sender, receiver) = unbounded_channel();
        let id = fan_out.next_queue;
        fan_out.next_queue += 1;
        if self.status.borrow().closed {
            return (id, receiver);
        }
        for ByKey(object) in self.present(None) {
            sender
                .send(Message::Event(Event::Added {
                    object,
                    initial: true,
                }))
                .ok();
        }
        if fan_out.pending_lists == 0 {
            sender.send(Message::Synced).ok();
        }
        fan_out.queues.insert(id, sender);
        (id, receiver)
    }

    /// Replays all that is there to one queue.
    pub(super) fn resync(&self, id: u64) {
        let fan_out = self.lock();
        if let Some(queue) = fan_out.queues.get(&id) {
            for ByKey(object) in self.present(None) {
                queue
                    .send(Message::Event(Event::Updated {
                        old: Arc::clone(&object),
                        new: object,
                    }))
                    .ok();
            }
            queue.send(Message::Resynced).ok();
        }
    }

    /// Ends every queue, and refuses new ones.
    pub(super) fn close(&self) {
        let mut fan_out = self.lock();
        self.status.send_modify(|status| status.closed = true);
        fan_out.queues.clear();
    }

    fn write<R>(&self, change: impl FnOnce(&mut Cache<K>) -> R) -> R {
        // A panic under the lock comes from an index function, and that runs before anything is changed.
        change(&mut self.cache.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<K> Hub<K> {
    pub(super) fn is_closed(&self) -> bool {
        self.status.borrow().closed
    }

    /// Takes a queue off. Doing it twice does no harm.
    pub(super) fn unsubscribe(&self, id: u64) {
        self.lock().queues.remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, FanOut<K>> {
        self.fan_out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an object was deleted and another one of the same name made since.
fn is_other_object<K: Resource>(old: &K, new: &K) -> bool {
    matches!((&old.meta().uid, &new.meta().uid), (Some(old), Some(new)) if old != new)
}
