//! The registration of a handler: dropping it removes the handler, and it shows whether the handler has synced.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use kube::Resource;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::event::UnreadableEvents;
use super::hub::Hub;
use super::report::Streak;
use super::retried::Retried;
use super::{Event, EventStream, Message};

/// The registration of a handler with an informer. Dropping it removes the handler: a running call is completed, and queued
/// events are dropped.
#[must_use = "dropping the registration unregisters the handler; `keep()` leaves it registered"]
pub struct Registration {
    queue: Arc<dyn Queues>,
    id: u64,
    cancel: CancellationToken,
    signal: SyncSignal,
    kept: bool,
}

/// [`Hub`] without its type.
trait Queues: Send + Sync {
    fn unsubscribe(&self, id: u64);
}

impl<K: Send + Sync> Queues for Hub<K> {
    fn unsubscribe(&self, id: u64) {
        Hub::unsubscribe(self, id);
    }
}

impl Registration {
    /// Returns a registration, and the task that calls the handler.
    pub(super) fn new<K, U, H, F>(
        events: EventStream<K, U>,
        handler: H,
    ) -> (Self, impl Future<Output = ()> + Send + use<K, U, H, F>)
    where
        K: Resource + Send + Sync + 'static,
        U: UnreadableEvents,
        H: FnMut(Event<K, U>) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let cancel = CancellationToken::new();
        let registration = Self {
            queue: Arc::<Hub<K>>::clone(events.hub()),
            id: events.id(),
            cancel: cancel.clone(),
            signal: events.sync_signal(),
            kept: false,
        };
        let server = Server {
            retried: Retried::new(events.has_resync()),
            events,
            handler,
            streak: Streak::default(),
        };
        (registration, server.serve(cancel))
    }

    /// Returns whether the informer has synced and the handler has processed all objects of the first list.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.signal.is_set()
    }

    /// Waits until [`Registration::has_synced`]. Returns `false` if the informer was stopped before.
    pub async fn synced(&self) -> bool {
        self.signal.clone().wait().await
    }

    /// Keeps the handler registered until the informer stops.
    pub fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if !self.kept {
            self.queue.unsubscribe(self.id);
            self.cancel.cancel();
        }
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Registration")
            .field("synced", &self.has_synced())
            .finish_non_exhaustive()
    }
}

/// Calls a handler for one event after the other. A panic ends only one call.
struct Server<K, U, H> {
    events: EventStream<K, U>,
    handler: H,
    /// Events that the handler has panicked on.
    retried: Retried<K, U>,
    streak: Streak,
}

impl<K, U, H, F> Server<K, U, H>
where
    K: Resource,
    U: UnreadableEvents,
    H: FnMut(Event<K, U>) -> F,
    F: Future<Output = ()>,
{
    async fn serve(mut self, cancel: CancellationToken) {
        loop {
            let message = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                () = self.retried.due() => Some(Message::Resynced),
                message = poll_fn(|context| self.events.poll_message(context)) => message,
            };
            let events = match message {
                Some(Message::Event(event)) => match U::select(event) {
                    Some(event) => self.retried.with_missed(event),
                    None => continue,
                },
                Some(Message::Resynced) => self.retried.take(),
                Some(Message::Synced) => continue,
                None => return,
            };
            for event in events {
                if cancel.is_cancelled() {
                    return;
                }
                self.call(event).await;
            }
        }
    }

    async fn call(&mut self, event: Event<K, U>) {
        let handler = &mut self.handler;
        let called = event.clone();
        // Both the closure and its future can panic.
        let call = AssertUnwindSafe(async move { handler(called).await }).catch_unwind();
        match call.await {
            Ok(()) => self.streak.interrupt(),
            Err(_) => {
                let reporter = self.events.hub().reporter();
                reporter.handler_panicked(event.key(), &self.streak);
                self.retried.add(event);
            }
        }
    }
}

/// Signals that a sync is complete.
#[derive(Clone, Debug)]
pub struct SyncSignal(watch::Receiver<bool>);

impl SyncSignal {
    pub(super) fn new(receiver: watch::Receiver<bool>) -> Self {
        Self(receiver)
    }

    /// Returns whether the sync is complete.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the sync is complete. Returns `false` if it will never be.
    pub async fn wait(mut self) -> bool {
        self.0.wait_for(|synced| *synced).await.is_ok()
    }
}
