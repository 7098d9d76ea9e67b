//! A view of an informer whose events include unreadable objects.

use std::future::Future;
use std::sync::Arc;

use super::shared::Watchable;
use super::{Event, EventStream, HandlerOptions, Informer, Registration, Unreadable};

/// An informer whose handlers and streams also get [`Event::Unreadable`]. See [`Informer::with_unreadable`].
#[derive(Debug)]
pub struct WithUnreadable<'a, K>(pub(super) &'a Informer<K>);

impl<K: Watchable> WithUnreadable<'_, K> {
    /// See [`Informer::add_handler`].
    pub fn add_handler<H, F>(&self, handler: H) -> Registration
    where
        H: FnMut(Event<K, Arc<Unreadable>>) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        self.add_handler_with(HandlerOptions::default(), handler)
    }

    /// See [`Informer::add_handler_with`].
    pub fn add_handler_with<H, F>(&self, options: HandlerOptions, handler: H) -> Registration
    where
        H: FnMut(Event<K, Arc<Unreadable>>) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        self.0.serve(self.events_with(options), handler)
    }

    /// See [`Informer::events`].
    #[must_use]
    pub fn events(&self) -> EventStream<K, Arc<Unreadable>> {
        self.events_with(HandlerOptions::default())
    }

    /// See [`Informer::events_with`].
    #[must_use]
    pub fn events_with(&self, options: HandlerOptions) -> EventStream<K, Arc<Unreadable>> {
        self.0.stream(options)
    }
}
