//! Feeding a [`kube::runtime::Controller`] from informers, so that one watch serves controllers, listers and handlers
//! alike. kube's own shared streams lose deletions; these do not.
//!
//! The methods of `Controller` that take such streams need kube's feature `unstable-runtime`, which the program has to enable.
//! `examples/controller.rs` shows the whole.

use std::convert::Infallible;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures::{Stream, StreamExt};
use kube::runtime::reflector::Store;
use kube::runtime::reflector::store::Writer;
use kube::runtime::watcher;

use crate::informer::{Cache, Message, UnreadableEvents, Watchable};
use crate::{Event, EventStream, Informer};

/// What `Controller::for_shared_stream` takes: the objects to reconcile, and the store in which it looks them up.
///
/// The stream fills the store, so it must be polled, as the controller does. The store holds copies, because only kube can
/// write to it and it copies what it is given; listers read the informer's own cache. A deleted object leaves the store and,
/// as in kube's own controllers, is not reconciled: a finalizer is the way to act on a deletion.
pub fn primary<K>(informer: &Informer<K>) -> (impl Stream<Item = Arc<K>> + Send + 'static, Store<K>)
where
    K: Watchable,
    K::DynamicType: Default + Eq + Hash + Clone,
{
    let writer = Writer::<K>::default();
    let store = writer.as_reader();
    (
        Primary {
            events: informer.events(),
            feed: StoreFeed {
                writer,
                first: Some(Cache::new()),
            },
        },
        store,
    )
}

/// What `Controller::owns_shared_stream` and `watches_shared_stream` take: every object that is there, that has changed,
/// or that has been deleted. Deletions that were only noticed by a new list are among them.
pub fn touched<K: Watchable>(informer: &Informer<K>) -> impl Stream<Item = Arc<K>> + Send + 'static {
    informer.events().map(Event::into_object)
}

/// Events that go into a store and then on to a controller.
struct Primary<K: Watchable>
where
    K::DynamicType: Eq + Hash + Clone,
{
    events: EventStream<K>,
    feed: StoreFeed<K>,
}

/// Fills kube's store.
struct StoreFeed<K: Watchable>
where
    K::DynamicType: Eq + Hash + Clone,
{
    writer: Writer<K>,
    /// What there is until the informer has synced. kube's store becomes ready by a complete list, and cannot forget an
    /// object of a list that is not complete.
    first: Option<Cache<K>>,
}

impl<K: Watchable> StoreFeed<K>
where
    K::DynamicType: Eq + Hash + Clone,
{
    fn apply(&mut self, object: &Arc<K>) {
        match &mut self.first {
            Some(first) => drop(first.insert(Arc::clone(object))),
            None => self
                .writer
                .apply_watcher_event(&watcher::Event::Apply(K::clone(object))),
        }
    }

    fn delete(&mut self, object: &Arc<K>) {
        let meta = object.meta();
        match &mut self.first {
            Some(first) => {
                drop(first.remove(
                    meta.namespace.as_deref(),
                    meta.name.as_deref().unwrap_or_default(),
                ));
            }
            None => self
                .writer
                .apply_watcher_event(&watcher::Event::Delete(K::clone(object))),
        }
    }

    fn complete(&mut self) {
        if let Some(first) = self.first.take() {
            self.writer.apply_watcher_event(&watcher::Event::Init);
            for object in first.iter() {
                self.writer
                    .apply_watcher_event(&watcher::Event::InitApply(K::clone(object)));
            }
            self.writer.apply_watcher_event(&watcher::Event::InitDone);
        }
    }
}

// Nothing in here is pinned.
impl<K: Watchable> Unpin for Primary<K> where K::DynamicType: Eq + Hash + Clone {}

impl<K: Watchable> Stream for Primary<K>
where
    K::DynamicType: Eq + Hash + Clone,
{
    type Item = Arc<K>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Arc<K>>> {
        loop {
            match ready!(self.events.poll_message(context)) {
                Some(Message::Event(Event::Deleted { object, .. })) => self.feed.delete(&object),
                Some(Message::Event(event)) => {
                    let Some(event) = Infallible::select(event) else {
                        continue;
                    };
                    if !event.is_resync() {
                        self.feed.apply(event.object());
                    }
                    return Poll::Ready(Some(event.into_object()));
                }
                Some(Message::Synced) => self.feed.complete(),
                Some(Message::Resynced) => {}
                None => return Poll::Ready(None),
            }
        }
    }
}
