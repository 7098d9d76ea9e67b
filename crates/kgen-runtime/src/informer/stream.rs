//! The events of one subscriber: its queue, its resync timer, and its sync signal.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::Stream;
use kube::Resource;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::event::UnreadableEvents;
use super::hub::{Hub, Subscription};
use super::{Event, Message, SyncSignal};

/// The events of an informer as a stream. It starts with the present objects, ends when the informer stops, and
/// unsubscribes when it is dropped. The queue of events is unbounded, so a slow stream does not delay the others.
pub struct EventStream<K, U = Infallible> {
    hub: Arc<Hub<K>>,
    subscription: Subscription<K>,
    synced: watch::Sender<bool>,
    resync: Option<Resync>,
    /// Whether the stream includes events about unreadable objects.
    unreadable: PhantomData<fn() -> U>,
}

/// When to replay the cache to this subscriber.
struct Resync {
    period: Duration,
    /// Set at the first poll after the sync, because a timer needs a runtime.
    interval: Option<Interval>,
    /// A replay is in the queue. A subscriber that is slower than its period does not get a second one.
    replaying: bool,
}

impl<K: Resource, U> EventStream<K, U> {
    pub(super) fn new(hub: Arc<Hub<K>>, resync: Option<Duration>) -> Self {
        let subscription = hub.subscribe();
        let resync = resync.map(|period| Resync {
            period,
            interval: None,
            replaying: false,
        });
        Self {
            hub,
            subscription,
            synced: watch::Sender::new(false),
            resync,
            unreadable: PhantomData,
        }
    }

    pub(super) fn hub(&self) -> &Arc<Hub<K>> {
        &self.hub
    }

    /// Returns whether the cache is replayed to this subscriber periodically.
    pub(super) fn has_resync(&self) -> bool {
        self.resync.is_some()
    }

    pub(super) fn id(&self) -> u64 {
        self.subscription.id
    }

    /// Returns the next message: an event or a mark between events.
    pub(crate) fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Message<K>>> {
        if self.hub.is_closed() {
            return Poll::Ready(None);
        }
        if *self.synced.borrow()
            && let Some(resync) = &mut self.resync
            && resync.is_due(context)
        {
            self.hub.resync(self.subscription.id);
        }
        let message = std::task::ready!(self.subscription.receiver.poll_recv(context));
        if message.is_some() {
            self.subscription.length.dec();
        }
        match &message {
            Some(Message::Synced) => drop(self.synced.send_replace(true)),
            Some(Message::Resynced) => {
                if let Some(resync) = &mut self.resync {
                    resync.replaying = false;
                }
            }
            Some(Message::Event(_)) | None => {}
        }
        Poll::Ready(message)
    }
}

impl<K, U> EventStream<K, U> {
    /// Signals when all initial objects have been taken from this stream.
    #[must_use]
    pub fn sync_signal(&self) -> SyncSignal {
        SyncSignal::new(self.synced.subscribe())
    }
}

impl Resync {
    /// Returns whether a replay is due now. If not, the timer will wake `context`.
    fn is_due(&mut self, context: &mut Context<'_>) -> bool {
        if self.replaying || tokio::runtime::Handle::try_current().is_err() {
            return false;
        }
        let interval = self.interval.get_or_insert_with(|| {
            let mut interval = interval_at(Instant::now() + self.period, self.period);
            interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
            interval
        });
        self.replaying = interval.poll_tick(context).is_ready();
        self.replaying
    }
}

impl<K: Resource, U: UnreadableEvents> Stream for EventStream<K, U> {
    type Item = Event<K, U>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event<K, U>>> {
        let stream = self.get_mut();
        loop {
            match std::task::ready!(stream.poll_message(context)) {
                Some(Message::Event(event)) => {
                    if let Some(event) = U::select(event) {
                        return Poll::Ready(Some(event));
                    }
                }
                Some(Message::Synced | Message::Resynced) => {}
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<K, U> Drop for EventStream<K, U> {
    fn drop(&mut self) {
        self.hub.unsubscribe(self.subscription.id);
    }
}

impl<K, U> fmt::Debug for EventStream<K, U> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EventStream")
            .field("synced", &*self.synced.borrow())
            .finish_non_exhaustive()
    }
}
