//! Connects a [`kube::runtime::Controller`] to informers, so that controllers, listers and handlers share one watch.
//! Unlike kube's own shared streams, these do not lose deletions.
//!
//! The methods of `Controller` that take these streams need kube's feature `unstable-runtime`, which the program has to
//! enable. See `examples/controller.rs`.

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

/// Returns the arguments of `Controller::for_shared_stream`: the objects to reconcile, and the store that contains them.
///
/// The stream fills the store, so it must be polled, as the controller does. The store contains copies, because kube
/// copies the objects that it stores; listers read the informer's own cache. A deleted object is removed from the store
/// and, as in kube's own controllers, not reconciled. Use a finalizer to act on a deletion.
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

/// Returns the argument of `Controller::owns_shared_stream` and `watches_shared_stream`: every object that exists, has
/// changed or was deleted. This includes deletions that only a new list revealed.
pub fn touched<K: Watchable>(informer: &Informer<K>) -> impl Stream<Item = Arc<K>> + Send + 'static {
    informer.events().map(Event::into_object)
}

/// A stream of events that updates a store and passes the objects to a controller.
struct Primary<K: Watchable>
where
    K::DynamicType: Eq + Hash + Clone,
{
    events: EventStream<K>,
    feed: StoreFeed<K>,
}

/// Updates kube's store.
struct StoreFeed<K: Watchable>
where
    K::DynamicType: Eq + Hash + Clone,
{
    writer: Writer<K>,
    /// The objects until the informer has synced. kube's store becomes ready with a complete list, and cannot remove an
    /// object from an incomplete list.
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

// No field is structurally pinned.
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
