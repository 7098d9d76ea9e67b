//! A controller: informers say which objects are to be looked at, a queue remembers it, workers call the reconciler.

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

/// Brings one object in line with what is wanted.
pub trait Reconciler: Send + Sync + 'static {
    /// Why that failed: an error with its sources, or a text. `anyhow::Error` works, too.
    type Error: Into<BoxError> + Send + 'static;

    /// Looks at the object of `key` and does what is to be done. It may be gone by now.
    ///
    /// One key is never worked on twice at the same time. After an error, and after a panic, the key is tried again with
    /// growing delays.
    fn reconcile(&self, key: &ObjectKey) -> impl Future<Output = Result<Next, Self::Error>> + Send;
}

/// When to look at an object again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Next {
    /// When something changes.
    AwaitChange,
    /// After this time, or earlier if something changes.
    After(Duration),
}

/// A reconciler with what it listens to. [`Manager::add`] runs it.
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
///         println!("{key} is to be looked at");
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

/// Registers the handler of one informer, when the controller starts.
type Watch = Box<dyn FnOnce(&WorkQueue<ObjectKey>) -> Registration + Send + Sync>;

impl<R: Reconciler> Controller<R> {
    /// A controller that listens to nothing yet. Its queue and its metrics have the name `name`.
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

    /// Works on so many objects at once; one if not said otherwise.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// At the end of the process, reconciles everything that is queued. Otherwise only the reconciles that have started are
    /// finished, because the next process begins with all objects anyway.
    pub fn drain(mut self, drain: bool) -> Self {
        self.drain = drain;
        self
    }

    /// Reconciles every object of `informer` that is new, has changed, is gone, or is due for another look.
    pub fn watch<K: Watchable>(self, informer: &Informer<K>) -> Self {
        self.watch_with(informer, |object| vec![ObjectKey::of(object)])
    }

    /// Reconciles the `O` that controls an object of `informer`, whenever that object is new, has changed, or is gone.
    pub fn watch_owned<O, K>(self, informer: &Informer<K>) -> Self
    where
        O: Resource<DynamicType = ()> + 'static,
        O::Scope: 'static,
        K: Watchable,
    {
        self.watch_with(informer, |object| owner::<O, K>(object).into_iter().collect())
    }

    /// Reconciles what `keys` makes of an object of `informer`, of the object before and after a change.
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

    /// The queue, to add keys for reasons that no informer knows.
    pub fn queue(&self) -> &WorkQueue<ObjectKey> {
        &self.queue
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Works until `ending` is cancelled. The caches are filled by now, and the handlers begin with the objects in them.
    pub(super) async fn run(mut self, ending: CancellationToken) -> Result<(), BoxError> {
        tracing::info!(controller = self.name, workers = self.workers, "starting workers");
        let watches = std::mem::take(&mut self.watches);
        let handlers: Vec<Registration> = watches.into_iter().map(|watch| watch(&self.queue)).collect();
        let controller = Arc::new(self);
        // A set aborts its tasks when it is dropped: a leader that has lost its lease drops this whole function.
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
                tracing::info!(controller = controller.name, "finishing work that has started");
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
                    tracing::warn!(controller = self.name, object = %*key, %error, "trying again later");
                    self.queue.add_rate_limited(ObjectKey::clone(&key));
                    "error"
                }
                Err(_) => {
                    tracing::error!(controller = self.name, object = %*key, "the reconciler has panicked");
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

/// The `O` that controls `object`, by what the owner reference says of it.
fn owner<O, K>(object: &K) -> Option<ObjectKey>
where
    O: Resource<DynamicType = ()>,
    O::Scope: 'static,
    K: Resource,
{
    // An owner of the cluster can own what is in a namespace.
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
