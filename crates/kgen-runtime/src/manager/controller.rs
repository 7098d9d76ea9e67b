//! A controller: informers add the keys of changed objects to a queue, and workers call the reconciler with them.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::fmt;
use std::future::{Future, ready};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use kube::Resource;
use kube::core::{ApiResource, ClusterResourceScope};
use kube::discovery::Scope;
use prometheus_client::metrics::gauge::Gauge;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::{BoxError, Manager, ObjectKey};
use crate::discovery::Kind;
use crate::informer::EventSource;
use crate::metrics::{ControllerMetrics, Reconciled};
use crate::owner::controller_of;
use crate::queue::{Item, Priority, RateLimiter, WorkQueue};
use crate::{Causes, Event, Registration};

/// Brings the actual state of an object in line with its spec.
pub trait Reconciler: Send + Sync + 'static {
    /// The error of a reconciliation: an error with its sources, or a string. `anyhow::Error` works, too.
    type Error: Into<BoxError> + Send + 'static;

    /// Reconciles the object `key`, which can have been deleted meanwhile.
    ///
    /// Only one worker at a time reconciles a key. After an error, a panic or a timeout, the key is retried with exponential
    /// backoff.
    ///
    /// It runs in a span `reconcile` with the fields `controller`, `object` and `attempt`, so its log lines have them.
    fn reconcile(&self, key: &ObjectKey) -> impl Future<Output = Result<Next, Self::Error>> + Send;
}

/// When to reconcile an object again.
#[derive(Debug)]
#[non_exhaustive]
pub enum Next {
    /// When a watched object changes.
    AwaitChange,
    /// After this time, or earlier if a watched object changes.
    After(Duration),
    /// When a watched object changes, although the reconciliation failed: a retry would fail in the same way, for example
    /// because the spec is invalid. The error is logged and counted (`controller_runtime_terminal_reconcile_errors_total`).
    GiveUp(BoxError),
}

impl Next {
    /// Returns [`Next::GiveUp`] with any error.
    pub fn give_up(error: impl Into<BoxError>) -> Self {
        Self::GiveUp(error.into())
    }
}

/// A reconciler and the informers that trigger it. Add it to a manager with [`Manager::add`].
///
/// ```no_run
/// use k8s_openapi::api::apps::v1::Deployment;
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kgen_runtime::manager::{Controller, Manager, Next, ObjectKey, Reconciler};
///
/// struct Restarter;
///
/// impl Reconciler for Restarter {
///     type Error = kgen_runtime::Error;
///
///     async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
///         println!("reconciling {key}");
///         Ok(Next::AwaitChange)
///     }
/// }
///
/// fn register(manager: &mut Manager) {
///     let deployments = manager.informers().informer::<Deployment>();
///     let maps = manager.informers().informer::<ConfigMap>();
///     let controller = Controller::new(manager, "restarter", Restarter)
///         .watch(&deployments)
///         .watch_owned::<Deployment, _>(&maps);
///     manager.add(controller);
/// }
/// ```
#[must_use = "a controller does nothing until a manager runs it"]
pub struct Controller<R> {
    name: String,
    reconciler: Arc<R>,
    queue: WorkQueue<ObjectKey>,
    workers: usize,
    timeout: Option<Duration>,
    metrics: ControllerMetrics,
    drain: bool,
    every_replica: bool,
    watches: Vec<Watch>,
}

/// Registers the handler of one informer when the controller starts.
type Watch = Box<dyn FnOnce(&WorkQueue<ObjectKey>) -> Registration + Send + Sync>;

impl<R: Reconciler> Controller<R> {
    /// Creates a controller without informers. `name` is also the name of its queue and its metrics.
    pub fn new(manager: &Manager, name: impl Into<String>, reconciler: R) -> Self {
        let name = name.into();
        let queue = WorkQueue::builder()
            .name(name.clone())
            .metrics(manager.metrics())
            .build();
        Self {
            metrics: manager.metrics().controller(&name),
            name,
            reconciler: Arc::new(reconciler),
            queue,
            workers: manager.workers().into(),
            timeout: None,
            drain: false,
            every_replica: false,
            watches: Vec::new(),
        }
    }

    /// Sets how many objects the controller reconciles concurrently. The default is the setting of the manager
    /// ([`Builder::workers`](super::Builder::workers)), which is one unless it is set.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Sets the time after which a reconciliation is dropped at its next `await`, counted
    /// (`controller_runtime_reconcile_timeouts_total`) and retried as after an error. By default it can take any time.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets the delays of retries. The default is [`default_limiter`](crate::queue::default_limiter).
    pub fn limiter(self, limiter: impl RateLimiter<ObjectKey>) -> Self {
        self.queue.set_limiter(limiter);
        self
    }

    /// Runs the controller on every replica, also on those that are not the leader. By default it runs only on the leader.
    pub fn every_replica(mut self, every_replica: bool) -> Self {
        self.every_replica = every_replica;
        self
    }

    /// Reconciles all queued objects before the process ends. By default only running reconciliations are finished, because
    /// the next process starts with all objects anyway.
    pub fn drain(mut self, drain: bool) -> Self {
        self.drain = drain;
        self
    }

    /// Reconciles every object of `informer` when it is created, changed, deleted or resynced.
    ///
    /// [`Informer::changed`](crate::Informer::changed) and [`Informer::only`](crate::Informer::only) leave out events.
    pub fn watch<S: EventSource>(self, informer: &S) -> Self {
        self.watch_with(informer, |object| vec![ObjectKey::of(object)])
    }

    /// Reconciles the `O` that controls an object of `informer` when that object is created, changed or deleted.
    pub fn watch_owned<O, S>(self, informer: &S) -> Self
    where
        O: Resource<DynamicType = ()> + 'static,
        O::Scope: 'static,
        S: EventSource,
    {
        // A cluster-scoped owner can own objects in a namespace.
        let is_of_cluster = TypeId::of::<O::Scope>() == TypeId::of::<ClusterResourceScope>();
        self.watch_controlled(informer, O::group(&()).into(), O::kind(&()).into(), is_of_cluster)
    }

    /// Like [`Self::watch_owned`], for owners of a kind that is known only at run time.
    pub fn watch_owned_by<S: EventSource>(self, owner: &Kind, informer: &S) -> Self {
        let ApiResource { group, kind, .. } = owner.resource.clone();
        self.watch_controlled(informer, group, kind, owner.scope == Scope::Cluster)
    }

    fn watch_controlled<S: EventSource>(
        self,
        informer: &S,
        group: String,
        kind: String,
        is_of_cluster: bool,
    ) -> Self {
        self.watch_with(informer, move |object| {
            owner(object, &group, &kind, is_of_cluster).into_iter().collect()
        })
    }

    /// Reconciles the keys that `keys` returns for an object of `informer`, before and after a change.
    pub fn watch_with<S: EventSource>(
        self,
        informer: &S,
        keys: impl Fn(&S::Object) -> Vec<ObjectKey> + Send + Sync + 'static,
    ) -> Self {
        self.watch_events(informer, move |event, queue| {
            let mut found: BTreeSet<ObjectKey> = keys(event.object()).into_iter().collect();
            if let Event::Updated { old, .. } = &event {
                found.extend(keys(old));
            }
            let queue = queue.at(Priority::of(&event));
            for key in found {
                queue.add(key);
            }
        })
    }

    /// Calls `handler` for each event of `informer`, with the queue of this controller. It decides which keys to add, and with
    /// which delay and [`Priority`].
    pub fn watch_events<S: EventSource>(
        mut self,
        informer: &S,
        handler: impl Fn(Event<S::Object>, &WorkQueue<ObjectKey>) + Send + Sync + 'static,
    ) -> Self {
        let informer = informer.filtered();
        self.watches.push(Box::new(move |queue| {
            let queue = queue.clone();
            informer.add_handler(move |event| {
                handler(event, &queue);
                ready(())
            })
        }));
        self
    }

    /// Returns the queue, to add keys for other reasons.
    pub fn queue(&self) -> &WorkQueue<ObjectKey> {
        &self.queue
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn is_on_every_replica(&self) -> bool {
        self.every_replica
    }

    /// Runs the workers until `ending` is canceled. The caches have synced, and the handlers start with the cached
    /// objects.
    pub(super) async fn run(mut self, ending: CancellationToken) -> Result<(), BoxError> {
        tracing::info!(controller = self.name, workers = self.workers, "starting workers");
        let workers = i64::try_from(self.workers).unwrap_or(i64::MAX);
        self.metrics.max_concurrent.set(workers);
        let watches = std::mem::take(&mut self.watches);
        let handlers: Vec<Registration> = watches.into_iter().map(|watch| watch(&self.queue)).collect();
        let controller = Arc::new(self);
        // The set aborts its tasks when it is dropped, because a leader that loses its lease drops this future.
        let mut workers = JoinSet::new();
        for _ in 0..controller.workers {
            workers.spawn(Arc::clone(&controller).work());
        }
        let stopped = async {
            ending.cancelled().await;
            drop(handlers);
            if controller.drain {
                tracing::info!(controller = controller.name, "draining the queue");
                controller.queue.shutdown_with_drain().await;
            } else {
                tracing::info!(controller = controller.name, "finishing running reconciliations");
                controller.queue.shutdown_now();
            }
            Ok(())
        };
        let joined = async {
            while let Some(ended) = workers.join_next().await {
                ended?;
            }
            Ok::<(), BoxError>(())
        };
        tokio::try_join!(stopped, joined)?;
        Ok(())
    }

    async fn work(self: Arc<Self>) {
        while let Some(key) = self.queue.get().await {
            let active = ActiveWorker::new(&self.metrics.active_workers);
            let attempt = self.queue.num_requeues(&key).saturating_add(1);
            let span = tracing::info_span!("reconcile", controller = self.name, object = %*key, attempt);
            let begin = Instant::now();
            let reconciled = self.reconcile(&key, attempt).instrument(span).await;
            self.metrics.record(reconciled, begin.elapsed());
            drop(active);
        }
    }

    /// Reconciles a key, and adds it to the queue again if necessary.
    async fn reconcile(&self, key: &Item<ObjectKey>, attempt: usize) -> Reconciled {
        let (controller, object) = (&self.name, key.key());
        let reconcile = AssertUnwindSafe(self.reconciler.reconcile(key)).catch_unwind();
        let outcome = match self.timeout {
            Some(timeout) => tokio::time::timeout(timeout, reconcile).await,
            None => Ok(reconcile.await),
        };
        let reconciled = match outcome {
            Ok(Ok(Ok(Next::AwaitChange))) => Reconciled::Success,
            Ok(Ok(Ok(Next::After(delay)))) => {
                self.queue.forget(key);
                self.queue.add_after(object.clone(), delay);
                return Reconciled::RequeueAfter;
            }
            Ok(Ok(Ok(Next::GiveUp(error)))) => {
                let error = Causes(&*error);
                tracing::error!(controller, %object, attempt, %error, "reconciliation failed, will not retry");
                Reconciled::Terminal
            }
            Ok(Ok(Err(error))) => {
                let error: BoxError = error.into();
                let error = Causes(&*error);
                tracing::warn!(controller, %object, attempt, %error, "reconciliation failed, will retry");
                Reconciled::Error
            }
            Ok(Err(_)) => {
                tracing::error!(controller, %object, attempt, "the reconciler panicked, will retry");
                Reconciled::Panic
            }
            Err(_) => {
                let timeout = self.timeout.unwrap_or_default();
                tracing::warn!(controller, %object, attempt, ?timeout, "reconciliation took too long, will retry");
                Reconciled::Timeout
            }
        };
        if matches!(reconciled, Reconciled::Success | Reconciled::Terminal) {
            self.queue.forget(key);
        } else {
            self.queue.add_rate_limited(object.clone());
        }
        reconciled
    }
}

/// Counts a worker as active, even if its task is aborted.
struct ActiveWorker<'a>(&'a Gauge);

impl<'a> ActiveWorker<'a> {
    fn new(active: &'a Gauge) -> Self {
        active.inc();
        Self(active)
    }
}

impl Drop for ActiveWorker<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl<R> fmt::Debug for Controller<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Controller")
            .field("name", &self.name)
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}

/// Returns the key of the controller of `object` if it has that group and kind, from the owner reference.
fn owner<K: Resource>(object: &K, group: &str, kind: &str, is_of_cluster: bool) -> Option<ObjectKey> {
    let reference = controller_of(object)?;
    let found = reference
        .api_version
        .split_once('/')
        .map_or("", |(group, _version)| group);
    (found == group && reference.kind == kind).then(|| ObjectKey {
        namespace: object.meta().namespace.clone().filter(|_| !is_of_cluster),
        name: reference.name.clone(),
    })
}
