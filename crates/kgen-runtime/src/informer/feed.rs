//! The cache and the event streams of an informer without its watch. The caller provides the events.

use std::fmt;
use std::sync::Arc;

use kube::Resource;
use kube::runtime::watcher;

use super::hub::Hub;
use super::report::Reporter;
use super::source::Source;
use super::{EventStream, HandlerOptions, Lister};
use crate::Result;

/// A cache with listers and event streams whose events the caller provides, for tests of handlers and custom watches.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> kgen_runtime::Result<()> {
/// use futures::StreamExt;
/// use k8s_openapi::api::core::v1::Pod;
/// use kgen_runtime::{Event, informer::Feed};
/// use kube::runtime::watcher;
///
/// let pod = |version: &str| {
///     let mut pod = Pod::default();
///     pod.metadata.name = Some("web-0".to_owned());
///     pod.metadata.resource_version = Some(version.to_owned());
///     pod
/// };
/// let mut feed = Feed::new("pods");
/// let mut events = feed.events();
/// feed.apply(watcher::Event::Init);
/// feed.apply(watcher::Event::InitApply(pod("1")));
/// feed.apply(watcher::Event::InitDone);
/// feed.apply(watcher::Event::Apply(pod("2")));
///
/// let lister = feed.lister();
/// assert!(matches!(events.next().await, Some(Event::Added { initial: true, .. })));
/// assert!(matches!(events.next().await, Some(Event::Updated { .. })));
/// assert_eq!(lister.get(None, "web-0")?.metadata.resource_version.as_deref(), Some("2"));
/// # Ok(())
/// # }
/// ```
pub struct Feed<K> {
    hub: Arc<Hub<K>>,
    source: Source<K>,
    lister: Lister<K>,
}

impl<K: Resource> Feed<K> {
    /// Creates an empty cache. Errors use the name `resource` for its objects, as in `deployments.apps`.
    #[must_use]
    pub fn new(resource: impl Into<Arc<str>>) -> Self {
        let resource = resource.into();
        let reporter = Reporter::to_log(Arc::clone(&resource));
        let hub = Arc::new(Hub::new(1, reporter));
        Self {
            source: Source::new(Arc::clone(&hub), None),
            lister: Lister::new(Arc::clone(hub.cache()), resource),
            hub,
        }
    }

    /// Applies one event of a watch to the cache and notifies the streams.
    pub fn apply(&mut self, event: watcher::Event<K>) {
        match event {
            watcher::Event::Init => self.source.begin(),
            watcher::Event::InitApply(object) => self.source.listed(object.into()),
            watcher::Event::InitDone => self.source.complete(),
            watcher::Event::Apply(object) => self.source.changed(object.into()),
            watcher::Event::Delete(object) => self.source.deleted(object.into()),
        }
    }

    /// Returns a lister for the cache.
    #[must_use]
    pub fn lister(&self) -> Lister<K> {
        self.lister.clone()
    }

    /// Returns a stream of the present objects and of every later change.
    #[must_use]
    pub fn events(&self) -> EventStream<K> {
        self.events_with(HandlerOptions::default())
    }

    /// Like [`Feed::events`], with options.
    #[must_use]
    pub fn events_with(&self, options: HandlerOptions) -> EventStream<K> {
        EventStream::new(Arc::clone(&self.hub), options.period(None))
    }

    /// Adds an index for [`Lister::by_index`].
    ///
    /// # Errors
    ///
    /// Returns [`Error::DuplicateIndex`](crate::Error::DuplicateIndex) if an index of this name exists.
    pub fn add_index(
        &self,
        name: impl Into<String>,
        function: impl Fn(&K) -> Vec<String> + Send + Sync + 'static,
    ) -> Result<()> {
        self.hub.add_index(name.into(), Arc::new(function))
    }
}

impl<K> fmt::Debug for Feed<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Feed")
            .field("lister", &self.lister)
            .finish_non_exhaustive()
    }
}

/// Ends the streams.
impl<K> Drop for Feed<K> {
    fn drop(&mut self) {
        self.hub.close();
    }
}
