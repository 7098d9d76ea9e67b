//! The informer: a cache, its watches and its handlers.

use std::any::TypeId;
use std::fmt::{self, Debug};
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
use kube::Resource;
use kube::core::{DynamicResourceScope, PartialObjectMeta};
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::event::UnreadableEvents;
use super::factory::{Settings, WeakFactory};
use super::hub::Hub;
use super::report::Reporter;
use super::run::{OnEnd, Plan, run};
use super::scope::Places;
use super::{
    Event, EventStream, HandlerOptions, InformerOptions, Lister, Registration, SyncOutcome, SyncResult,
    WithUnreadable,
};
use crate::metrics::Refresh;
use crate::{Connection, Result};

/// A type that an informer can watch: it can be deserialized and shared between threads.
pub trait Watchable: Resource + Clone + Debug + DeserializeOwned + Send + Sync + 'static {}

impl<K: Resource + Clone + Debug + DeserializeOwned + Send + Sync + 'static> Watchable for K {}

/// Keeps a cache of one kind up to date and notifies handlers of changes. Clones are cheap and share all state.
///
/// Informers usually come from a factory, which shares them. An informer can also be created alone:
///
/// ```no_run
/// use k8s_openapi::api::core::v1::Pod;
/// use kgen_runtime::{Connection, Informer, InformerOptions};
///
/// # async fn example(connection: Connection) -> kgen_runtime::Result<()> {
/// let pods = Informer::<Pod>::new(&connection, InformerOptions::new().namespaces(["shop"]));
/// pods.add_index("node", |pod| pod.spec.iter().filter_map(|spec| spec.node_name.clone()).collect())?;
/// pods.start();
/// pods.synced().await;
/// println!("{} pods on node-7", pods.lister().by_index("node", "node-7")?.len());
/// pods.shutdown().await;
/// # Ok(())
/// # }
/// ```
pub struct Informer<K> {
    inner: Arc<Inner<K>>,
}

struct Inner<K> {
    name: Arc<str>,
    connection: Connection,
    plan: Arc<Plan<K>>,
    hub: Arc<Hub<K>>,
    lister: Lister<K>,
    resync: Option<Duration>,
    options: InformerOptions,
    /// Whether every user can do without the kind.
    optional: AtomicBool,
    /// The factory that shares this informer.
    factory: OnceLock<WeakFactory>,
    started: Mutex<bool>,
    stop: CancellationToken,
    tasks: TaskTracker,
    on_end: Mutex<Option<OnEnd>>,
}

impl<K> Clone for Informer<K> {
    fn clone(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl<K> Debug for Informer<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Informer")
            .field("name", &self.inner.name)
            .finish_non_exhaustive()
    }
}

impl<K: Watchable> Informer<K> {
    /// Creates an informer that no factory shares. It does nothing until it is started.
    #[must_use]
    pub fn new(connection: &Connection, options: InformerOptions) -> Self
    where
        K::DynamicType: Default,
    {
        Self::with_settings(
            connection,
            &K::DynamicType::default(),
            &options,
            &Settings::default(),
        )
    }

    /// Like [`Informer::new`], for a type whose resource is known only at run time, such as
    /// [`DynamicObject`](kube::core::DynamicObject).
    #[must_use]
    pub fn for_resource(
        connection: &Connection,
        resource: &K::DynamicType,
        options: InformerOptions,
    ) -> Self {
        Self::with_settings(connection, resource, &options, &Settings::default())
    }

    pub(super) fn with_settings(
        connection: &Connection,
        resource: &K::DynamicType,
        options: &InformerOptions,
        settings: &Settings,
    ) -> Self {
        let namespaces = options.namespaces.iter().flatten().cloned();
        let plan = Plan {
            client: connection.client().clone(),
            places: Places::of::<K>(resource, namespaces, options.scope.clone()),
            config: options.narrow(settings.config()),
            transform: settings.transform::<K>(),
        };
        let name: Arc<str> = describe(resource, &plan).into();
        let reporter = Reporter::new::<K>(
            Arc::clone(&name),
            resource,
            settings.metrics.as_ref(),
            settings.recorder.clone(),
            settings.broken.clone(),
        );
        let hub = Arc::new(Hub::new(plan.places.len(), reporter));
        if let Some(metrics) = &settings.metrics {
            let refresher: Weak<dyn Refresh> = Arc::downgrade(&(Arc::clone(&hub) as Arc<dyn Refresh>));
            metrics.refresh_with(refresher);
        }
        let inner = Inner {
            name,
            connection: connection.clone(),
            lister: Lister::new(Arc::clone(hub.cache()), resource_name::<K>(resource)),
            plan: Arc::new(plan),
            hub,
            resync: settings.resync,
            options: options.clone(),
            optional: AtomicBool::new(options.optional),
            factory: OnceLock::new(),
            started: Mutex::new(false),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            on_end: Mutex::new(None),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Returns a lister for the cache.
    #[must_use]
    pub fn lister(&self) -> Lister<K> {
        self.inner.lister.clone()
    }

    /// Calls `handler` for the present objects, and then for every change, one event after the other, in a separate task.
    /// Dropping the registration removes the handler.
    pub fn add_handler<H, F>(&self, handler: H) -> Registration
    where
        H: FnMut(Event<K>) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        self.add_handler_with(HandlerOptions::default(), handler)
    }

    /// Like [`Informer::add_handler`], with options.
    pub fn add_handler_with<H, F>(&self, options: HandlerOptions, handler: H) -> Registration
    where
        H: FnMut(Event<K>) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        self.serve(self.events_with(options), handler)
    }

    /// Calls `handler` for each event of `events` in a separate task.
    pub(super) fn serve<U, H, F>(&self, events: EventStream<K, U>, handler: H) -> Registration
    where
        U: UnreadableEvents,
        H: FnMut(Event<K, U>) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let (registration, task) = Registration::new(events, handler);
        match self.inner.connection.runtime() {
            Some(runtime) => drop(self.inner.tasks.spawn_on(task, &runtime)),
            None => {
                tracing::error!(informer = %self.inner.name, "cannot call the handler: there is no tokio runtime")
            }
        }
        registration
    }

    /// Returns a stream of the present objects and of every later change.
    #[must_use]
    pub fn events(&self) -> EventStream<K> {
        self.events_with(HandlerOptions::default())
    }

    /// Like [`Informer::events`], with options.
    #[must_use]
    pub fn events_with(&self, options: HandlerOptions) -> EventStream<K> {
        self.stream(options)
    }

    pub(super) fn stream<U>(&self, options: HandlerOptions) -> EventStream<K, U> {
        EventStream::new(Arc::clone(&self.inner.hub), options.period(self.inner.resync))
    }

    /// Returns a view of this informer whose handlers also get events about objects that cannot be deserialized:
    /// [`Event::Unreadable`], with the JSON that the server sent.
    ///
    /// ```no_run
    /// use k8s_openapi::api::apps::v1::Deployment;
    /// use kgen_runtime::{Event, Informer};
    ///
    /// fn watch(deployments: &Informer<Deployment>) {
    ///     deployments
    ///         .with_unreadable()
    ///         .add_handler(|event| async move {
    ///             if let Event::Unreadable { object, deleted: false } = event {
    ///                 println!("{} cannot be read: {}", object.name, object.reason);
    ///             }
    ///         })
    ///         .keep();
    /// }
    /// ```
    #[must_use]
    pub fn with_unreadable(&self) -> WithUnreadable<'_, K> {
        WithUnreadable(self)
    }

    /// Adds an index for [`Lister::by_index`], at any time. `function` returns the values of an object, and must always return
    /// the same values for the same object. An object on which it panics is left out of the cache or, if the cache already
    /// has it, out of the index.
    ///
    /// # Errors
    ///
    /// Returns [`Error::DuplicateIndex`](crate::Error::DuplicateIndex) if an index of this name exists.
    pub fn add_index(
        &self,
        name: impl Into<String>,
        function: impl Fn(&K) -> Vec<String> + Send + Sync + 'static,
    ) -> Result<()> {
        self.inner.hub.add_index(name.into(), Arc::new(function))
    }

    /// Starts to list and watch. Starting it again does nothing, and a stopped informer cannot be started again.
    pub fn start(&self) {
        let mut started = self.inner.started.lock().unwrap_or_else(PoisonError::into_inner);
        if *started || self.inner.stop.is_cancelled() {
            return;
        }
        let Some(runtime) = self.inner.connection.runtime() else {
            tracing::error!(informer = %self.inner.name, "cannot start the watch: there is no tokio runtime");
            return;
        };
        *started = true;
        let inner = &self.inner;
        let task = run(
            Arc::clone(&inner.plan),
            Arc::clone(&inner.hub),
            inner.stop.clone(),
            inner.take_on_end(),
        );
        drop(inner.tasks.spawn_on(task, &runtime));
    }

    /// Returns whether the first list is in the cache.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.inner.hub.status().borrow().synced
    }

    /// Waits until the first list is in the cache. Returns `false` if the informer was stopped before.
    pub async fn synced(&self) -> bool {
        let mut status = self.inner.hub.status();
        status
            .wait_for(|status| status.synced || status.closed)
            .await
            .is_ok_and(|status| status.synced)
    }

    /// Like [`Informer::synced`], but also ends if the kind is optional and missing.
    async fn synced_or_missing(&self) {
        let mut status = self.inner.hub.status();
        let is_optional = self.is_optional();
        let _ = status
            .wait_for(|status| status.synced || status.closed || (status.missing && is_optional))
            .await;
    }

    fn is_optional(&self) -> bool {
        self.inner.optional.load(Ordering::Relaxed)
    }

    /// Records that another user needs the kind.
    pub(super) fn require(&self) {
        self.inner.optional.store(false, Ordering::Relaxed);
    }

    /// Records that the informer belongs to `factory`.
    pub(super) fn belongs_to(&self, factory: WeakFactory) {
        let _ = self.inner.factory.set(factory);
    }

    /// Returns the informer for the metadata of the same objects, from the same factory. The watch of this informer is not
    /// needed for it: if this informer was not started and nobody else uses it, the factory forgets it.
    ///
    /// The server sends only metadata, and the cache has only metadata. That saves memory and network for large objects whose
    /// labels, annotations or owners are enough. The two caches of one kind change at different times, so use only one of them
    /// in a controller.
    #[must_use]
    pub fn metadata(self) -> Informer<PartialObjectMeta<K>>
    where
        K::DynamicType: Default,
    {
        let options = self.inner.options.clone();
        match self.inner.factory.get().and_then(WeakFactory::upgrade) {
            Some(factory) => {
                factory.forget_unused(self);
                factory.informer_with(options)
            }
            None => Informer::new(&self.inner.connection, options),
        }
    }

    /// Returns whether the informer was not started, and only `handles` handles exist, without listers and handlers.
    pub(super) fn is_unused(&self, handles: usize) -> bool {
        let inner = &self.inner;
        let started = *inner.started.lock().unwrap_or_else(PoisonError::into_inner);
        // The hub has one reference to the cache, and the lister in the informer another one.
        !started
            && Arc::strong_count(inner) <= handles
            && Arc::strong_count(&inner.hub) == 1
            && Arc::strong_count(inner.hub.cache()) == 2
    }

    /// Returns the last error of the watch, or `None` if it has worked since. With several namespaces, the error names them.
    #[must_use]
    pub fn last_error(&self) -> Option<String> {
        self.inner.hub.status().borrow().last_error()
    }

    /// Stops the watch and all handlers and streams, without waiting. The cache does not change.
    pub fn stop(&self) {
        let was_started = {
            let started = self.inner.started.lock().unwrap_or_else(PoisonError::into_inner);
            self.inner.stop.cancel();
            *started
        };
        // Not under the lock: the factory asks for the outcome.
        if !was_started {
            self.inner.hub.close();
            if let Some(on_end) = self.inner.take_on_end() {
                on_end(true);
            }
        }
    }

    /// Like [`Informer::stop`], but waits until the tasks of the watch and the handlers have ended. A handler must not wait
    /// for this, because it would wait for itself.
    pub async fn shutdown(&self) {
        self.stop();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    fn outcome(&self) -> SyncOutcome {
        let status = self.inner.hub.status().borrow().clone();
        let started = *self.inner.started.lock().unwrap_or_else(PoisonError::into_inner);
        match (status.closed, status.synced, started) {
            // The cache of an informer that has ended is out of date.
            (true, _, _) => SyncOutcome::Stopped {
                last_error: status.last_error(),
            },
            (false, _, _) if status.missing => SyncOutcome::Missing {
                optional: self.is_optional(),
            },
            (false, true, _) => SyncOutcome::Synced,
            (false, false, true) => SyncOutcome::Pending {
                last_error: status.last_error(),
            },
            (false, false, false) => SyncOutcome::NotStarted,
        }
    }

    /// Calls `on_end` when the informer has ended. Call it before the start.
    pub(super) fn on_end(&self, on_end: OnEnd) {
        *self.inner.on_end.lock().unwrap_or_else(PoisonError::into_inner) = Some(on_end);
    }
}

impl<K> Inner<K> {
    fn take_on_end(&self) -> Option<OnEnd> {
        self.on_end.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// An informer without its type, for the factory.
pub(super) trait Managed: Send + Sync {
    fn name(&self) -> &str;
    /// Returns plural and group, and whether the cache has only metadata.
    fn watched(&self) -> (&str, bool);
    fn start(&self);
    fn is_stopped(&self) -> bool;
    fn sync_result(&self) -> SyncResult;
    /// Waits until the informer has synced or stopped, and returns its state. Returns immediately if it was not started.
    fn settled(&self) -> BoxFuture<'static, SyncResult>;
    fn shutdown(&self) -> BoxFuture<'static, ()>;
}

impl<K: Watchable> Managed for Informer<K> {
    fn name(&self) -> &str {
        &self.inner.name
    }

    fn watched(&self) -> (&str, bool) {
        (self.inner.lister.resource(), K::metadata_api())
    }

    fn start(&self) {
        Self::start(self);
    }

    fn is_stopped(&self) -> bool {
        self.inner.stop.is_cancelled() || self.inner.hub.is_closed()
    }

    fn sync_result(&self) -> SyncResult {
        SyncResult {
            informer: self.inner.name.to_string(),
            outcome: self.outcome(),
            unreadable: self
                .inner
                .hub
                .unreadable_objects(None)
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }

    fn settled(&self) -> BoxFuture<'static, SyncResult> {
        let informer = self.clone();
        Box::pin(async move {
            if informer.outcome() != SyncOutcome::NotStarted {
                informer.synced_or_missing().await;
            }
            informer.sync_result()
        })
    }

    fn shutdown(&self) -> BoxFuture<'static, ()> {
        let informer = self.clone();
        Box::pin(async move { Self::shutdown(&informer).await })
    }
}

/// Returns plural and group, as in `deployments.apps`.
fn resource_name<K: Resource>(resource: &K::DynamicType) -> String {
    let (plural, group) = (K::plural(resource), K::group(resource));
    if group.is_empty() {
        plural.into_owned()
    } else {
        format!("{plural}.{group}")
    }
}

/// Returns the name of an informer. Two informers of one type that watch the same have the same name.
fn describe<K: Resource + 'static>(resource: &K::DynamicType, plan: &Plan<K>) -> String {
    let mut name = format!("{}/{}", resource_name::<K>(resource), K::version(resource));
    if K::metadata_api() {
        name.push_str(" (metadata)");
    } else if TypeId::of::<K::Scope>() == TypeId::of::<DynamicResourceScope>() {
        name.push_str(" (dynamic)");
    }
    let namespaces: Vec<_> = plan.places.namespaces().collect();
    if !namespaces.is_empty() {
        name = format!("{name} in {}", namespaces.join(", "));
        if !plan.places.is_known() {
            // The server has not been asked yet. A cluster-scoped kind is watched everywhere.
            name.push_str(" if namespaced");
        }
    }
    if let Some(labels) = &plan.config.label_selector {
        name = format!("{name} with labels {labels}");
    }
    if let Some(fields) = &plan.config.field_selector {
        name = format!("{name} with fields {fields}");
    }
    name
}
