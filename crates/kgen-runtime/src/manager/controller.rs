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
use kube::core::ClusterResourceScope;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{BoxError, Manager, ObjectKey};
use crate::Causes;
use crate::informer::Watchable;
use crate::metrics::ControllerMetrics;
use crate::owner::controller_of;
use crate::queue::WorkQueue;
use crate::{Event, Informer, Registration};

/// Brings the actual state of an object in line with its spec.
pub trait Reconciler: Send + Sync + 'static {
    /// The error of a reconciliation: an error with its sources, or a string. `anyhow::Error` works, too.
    type Error: Into<BoxError> + Send + 'static;

    /// Reconciles the object `key`, which can have been deleted meanwhile.
    ///
    /// Only one worker at a time reconciles a key. After an error or a panic, the key is retried with exponential backoff.
    fn reconcile(&self, key: &ObjectKey) -> impl Future<Output = Result<Next, Self::Error>> + Send;
}

/// When to reconcile an object again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Next {
    /// When a watched object changes.
    AwaitChange,
    /// After this time, or earlier if a watched object changes.
    After(Duration),
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
    metrics: ControllerMetrics,
    drain: bool,
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
            workers: 1,
            drain: false,
            watches: Vec::new(),
        }
    }

    /// Sets how many objects the controller reconciles concurrently. The default is one.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Reconciles all queued objects before the process ends. By default only running reconciliations are finished, because
    /// the next process starts with all objects anyway.
    pub fn drain(mut self, drain: bool) -> Self {
        self.drain = drain;
        self
    }

    /// Reconciles every object of `informer` when it is created, changed, deleted or resynced.
    pub fn watch<K: Watchable>(self, informer: &Informer<K>) -> Self {
        self.watch_with(informer, |object| vec![ObjectKey::of(object)])
    }

    /// Reconciles the `O` that controls an object of `informer` when that object is created, changed or deleted.
    pub fn watch_owned<O, K>(self, informer: &Informer<K>) -> Self
    where
        O: Resource<DynamicType = ()> + 'static,
        O::Scope: 'static,
        K: Watchable,
    {
        self.watch_with(informer, |object| owner::<O, K>(object).into_iter().collect())
    }

    /// Reconciles the keys that `keys` returns for an object of `informer`, before and after a change.
    pub fn watch_with<K: Watchable>(
        mut self,
        informer: &Informer<K>,
        keys: impl Fn(&K) -> Vec<ObjectKey> + Send + Sync + 'static,
    ) -> Self {
        let informer = informer.clone();
        self.watches.push(Box::new(move |queue| {
            let queue = queue.clone();
            informer.add_handler(move |event| {
                let mut found: BTreeSet<ObjectKey> = keys(event.object()).into_iter().collect();
                if let Event::Updated { old, .. } = &event {
                    found.extend(keys(old));
                }
                for key in found {
                    queue.add(key);
                }
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

    /// Runs the workers until `ending` is canceled. The caches have synced, and the handlers start with the cached
    /// objects.
    pub(super) async fn run(mut self, ending: CancellationToken) -> Result<(), BoxError> {
        tracing::info!(controller = self.name, workers = self.workers, "starting workers");
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
            let begin = Instant::now();
            let outcome = AssertUnwindSafe(self.reconciler.reconcile(&key))
                .catch_unwind()
                .await;
            let result = match outcome {
                Ok(Ok(Next::AwaitChange)) => {
                    self.queue.forget(&key);
                    "success"
                }
                Ok(Ok(Next::After(delay))) => {
                    self.queue.forget(&key);
                    self.queue.add_after(ObjectKey::clone(&key), delay);
                    "requeue_after"
                }
                Ok(Err(error)) => {
                    let error: BoxError = error.into();
                    let error = Causes(&*error);
                    tracing::warn!(controller = self.name, object = %*key, %error, "reconciliation failed, will retry");
                    self.queue.add_rate_limited(ObjectKey::clone(&key));
                    "error"
                }
                Err(_) => {
                    tracing::error!(controller = self.name, object = %*key, "the reconciler panicked, will retry");
                    self.queue.add_rate_limited(ObjectKey::clone(&key));
                    "panic"
                }
            };
            self.metrics.record(result, begin.elapsed());
        }
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

/// Returns the key of the `O` that controls `object`, from its owner reference.
fn owner<O, K>(object: &K) -> Option<ObjectKey>
where
    O: Resource<DynamicType = ()>,
    O::Scope: 'static,
    K: Resource,
{
    // A cluster-scoped owner can own objects in a namespace.
    let is_of_cluster = TypeId::of::<O::Scope>() == TypeId::of::<ClusterResourceScope>();
    let reference = controller_of(object)?;
    let group = reference
        .api_version
        .split_once('/')
        .map_or("", |(group, _version)| group);
    (group == O::group(&()) && reference.kind == O::kind(&())).then(|| ObjectKey {
        namespace: object.meta().namespace.clone().filter(|_| !is_of_cluster),
        name: reference.name.clone(),
    })
}
