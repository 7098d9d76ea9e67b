//! What the owner of a handler holds: dropping it ends the handler, and it says when the handler has synced.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures::StreamExt;
use kube::Resource;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::hub::Hub;
use super::{Event, EventStream};

/// A handler's place at an informer. Dropping it unregisters the handler: a call under way is completed, and what waits in
/// the handler's queue is dropped.
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
    /// A registration, and the task that serves the handler.
    pub(super) fn new<K, H, F>(
        hub: &Arc<Hub<K>>,
        events: EventStream<K>,
        handler: H,
    ) -> (Self, impl Future<Output = ()> + Send + use<K, H, F>)
    where
        K: Resource + Send + Sync + 'static,
        H: FnMut(Event<K>) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let cancel = CancellationToken::new();
        let registration = Self {
            queue: Arc::<Hub<K>>::clone(hub),
            id: events.id(),
            cancel: cancel.clone(),
            signal: events.sync_signal(),
            kept: false,
        };
        (registration, serve(events, handler, cancel))
    }

    /// Whether the informer has synced and the handler has been called for everything that was there before.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.signal.is_set()
    }

    /// Waits until [`Registration::has_synced`]. `false` means that the informer was stopped before.
    pub async fn synced(&self) -> bool {
        self.signal.clone().wait().await
    }

    /// Leaves the handler registered for as long as the informer runs.
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

/// Calls `handler` for one event after the other.
async fn serve<K: Resource, F: Future<Output = ()>>(
    mut events: EventStream<K>,
    mut handler: impl FnMut(Event<K>) -> F,
    cancel: CancellationToken,
) {
    loop {
        let event = tokio::select! {
            biased;
            () = cancel.cancelled() => return,
            event = events.next() => event,
        };
        match event {
            Some(event) => handler(event).await,
            None => return,
        }
    }
}

/// Says once that something has synced.
#[derive(Clone, Debug)]
pub struct SyncSignal(watch::Receiver<bool>);

impl SyncSignal {
    pub(super) fn new(receiver: watch::Receiver<bool>) -> Self {
        Self(receiver)
    }

    /// Whether it has synced.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it has synced. `false` means that it never will.
    pub async fn wait(mut self) -> bool {
        self.0.wait_for(|synced| *synced).await.is_ok()
    }
}
