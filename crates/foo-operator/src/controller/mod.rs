//! The controller: caches tell what has changed, a queue remembers it, workers bring one Foo after the other in line.
//!
//! What is to be done is decided in [`reconcile`](crate::reconcile); here it is only found out about and carried out.

mod enqueue;
mod execute;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::metrics::Metrics;
use kgen_runtime::queue::{Exponential, MaxOf, TokenBucket, WorkQueue};
use kgen_runtime::recorder::Recorder;
use kgen_runtime::{Informer, InformerFactory, OwnWrites, Registration};
use kube::ResourceExt;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::api::v1alpha1::Foo;
use crate::generated::example_v1alpha1::FooInformer;
use crate::generated::{Clientset, Informers};
use crate::reconcile::{Observed, reconcile};

pub use self::execute::{SyncError, carry_out};

/// Name of the operator: it owns fields and writes events under it.
pub const NAME: &str = "foo-operator";

/// How often every Foo is looked at, also if nothing seems to have changed.
const RESYNC: Duration = Duration::from_secs(30);

/// Which Foo.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Key {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

impl Key {
    /// Returns the key of `foo`.
    #[must_use]
    pub fn of(foo: &Foo) -> Self {
        Self {
            namespace: foo.namespace().unwrap_or_default(),
            name: foo.name_any(),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.namespace, self.name)
    }
}

/// Why the controller ended.
#[derive(Debug, thiserror::Error)]
pub enum ControllerError {
    /// It was told to end before it knew what there is.
    #[error("failed to wait for caches to sync")]
    NotSynced(#[source] kgen_runtime::Error),
    /// A worker panicked.
    #[error("a worker ended unexpectedly")]
    Worker(#[source] tokio::task::JoinError),
}

/// Keeps the Deployments of all Foos as they should be. Clones are the same controller.
#[derive(Clone)]
pub struct Controller {
    clients: Clientset,
    informers: Informers,
    foos: FooInformer,
    deployments: Informer<Deployment>,
    queue: WorkQueue<Key>,
    recorder: Recorder,
    clock: Arc<dyn Clock>,
    own_writes: OwnWrites<Foo>,
}

impl Controller {
    /// A controller for the Foos of these namespaces, or of all of them if there are none.
    ///
    /// It does nothing yet: [`Controller::start`] fills the caches, [`Controller::run`] works.
    // +kubebuilder:rbac:groups=example.com,resources=foos,verbs=list;watch
    // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch
    // +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
    #[must_use]
    pub fn new(clients: Clientset, namespaces: &[String], recorder: Recorder, metrics: &Metrics) -> Self {
        let factory = InformerFactory::builder(clients.connection())
            .namespaces(namespaces)
            .resync(RESYNC)
            .drop_managed_fields()
            .build();
        let informers = Informers::from_factory(factory);
        let foos = informers.example_v1alpha1().foos();
        let deployments = informers.factory().informer::<Deployment>();
        let queue = WorkQueue::builder()
            .name("Foos")
            .metrics(metrics)
            .rate_limiter(limiter())
            .build();
        Self {
            clients: clients.with_field_manager(NAME),
            informers,
            foos,
            deployments,
            queue,
            recorder,
            clock: Arc::new(SystemClock),
            own_writes: OwnWrites::default(),
        }
    }

    /// Takes the times of conditions from `clock`.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Begins to fill the caches. A replica that does not lead does this too, to be ready when it does. The queue stays empty.
    pub fn start(&self) {
        self.informers.start();
    }

    /// Returns whether the caches are filled, and if not, why: for a readiness check.
    pub fn check_synced(&self) -> Result<(), String> {
        let report = self.informers.factory().sync_report();
        report.into_result().map_err(|error| error.to_string())
    }

    /// Waits until the caches are filled.
    ///
    /// # Errors
    ///
    /// If that takes longer than `timeout`, or `ending` is cancelled before.
    pub async fn wait_for_caches(
        &self,
        timeout: Duration,
        ending: &CancellationToken,
    ) -> Result<(), ControllerError> {
        tracing::info!("waiting for caches to sync");
        let synced = tokio::time::timeout(timeout, self.informers.wait_for_sync());
        let report = match ending.run_until_cancelled(synced).await {
            Some(Ok(report)) => report,
            Some(Err(_)) | None => self.informers.factory().sync_report(),
        };
        report.into_result().map_err(ControllerError::NotSynced)
    }

    /// Waits for the caches and works until `ending` is cancelled; then works off what is queued, waits for the workers, and
    /// stops the informers.
    ///
    /// # Errors
    ///
    /// When it was told to end before the caches were filled, or a worker panicked.
    pub async fn run(&self, workers: usize, ending: CancellationToken) -> Result<(), ControllerError> {
        let result = self.work(workers.max(1), ending).await;
        self.queue.shutdown();
        self.informers.shutdown().await;
        result
    }

    async fn work(&self, workers: usize, ending: CancellationToken) -> Result<(), ControllerError> {
        self.start();
        self.wait_for_caches(Duration::MAX, &ending).await?;
        // Only now: whoever does not work must not fill the queue. The handlers begin with the objects in the caches.
        let _handlers = self.watch();

        tracing::info!(workers, "starting workers");
        // A set aborts its tasks when it is dropped: a leader that has lost its lease drops this whole function.
        let mut tasks = JoinSet::new();
        for _ in 0..workers {
            tasks.spawn(self.clone().worker());
        }
        let drained = async {
            ending.cancelled().await;
            tracing::info!("working off the queue");
            self.queue.shutdown_with_drain().await;
        };
        let mut drained = std::pin::pin!(drained);
        loop {
            tokio::select! {
                () = &mut drained => break,
                Some(ended) = tasks.join_next() => ended.map_err(ControllerError::Worker)?,
            }
        }
        while let Some(ended) = tasks.join_next().await {
            ended.map_err(ControllerError::Worker)?;
        }
        tracing::info!("workers have ended");
        Ok(())
    }

    /// Queues the Foos in the caches and then every change, until the registrations are dropped. [`Controller::run`] does it
    /// itself.
    pub fn watch(&self) -> [Registration; 2] {
        [
            enqueue::foos(self.foos.informer(), &self.queue),
            enqueue::owners(&self.deployments, self.foos.lister(), &self.queue),
        ]
    }

    // ANCHOR: worker
    /// Reconciles one key at a time, until the queue is shut down and empty.
    async fn worker(self) {
        while let Some(key) = self.queue.get().await {
            match self.sync(&key).await {
                Ok(()) => self.queue.forget(&key),
                Err(error) => {
                    log_failure(&key, &error);
                    self.queue.add_rate_limited(Key::clone(&key));
                }
            }
        }
    }
    // ANCHOR_END: worker

    /// Brings one Foo in line.
    ///
    /// # Errors
    ///
    /// If an object in a cache cannot be read, a write failed, or the Deployment is not the Foo's. The queue then tries again.
    pub async fn sync(&self, key: &Key) -> Result<(), SyncError> {
        let foo = match self.foos.lister().namespace(&key.namespace).get(&key.name) {
            Ok(foo) => foo,
            Err(error) if error.is_not_found() => {
                tracing::info!(foo = %key, "the Foo is gone");
                self.own_writes.forget(&key.namespace, &key.name);
                return Ok(());
            }
            Err(error) => return Err(SyncError::Cache(error)),
        };
        if self.own_writes.are_newer_than(&foo) {
            return Ok(());
        }
        if foo.spec.deployment_name.is_empty() {
            tracing::warn!(foo = %key, "the Foo names no Deployment");
        }
        let deployments = self.deployments.lister();
        let named = match deployments.get(Some(&key.namespace), &foo.spec.deployment_name) {
            Ok(deployment) => Some(deployment),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(SyncError::Cache(error)),
        };
        let uid = foo.uid().unwrap_or_default();
        let actions = reconcile(Observed {
            foo: &foo,
            deployment: named.as_deref(),
            owned: &deployments.by_owner(&uid),
            now: self.clock.now(),
        });
        let written = carry_out(&self.clients, &self.recorder, &foo, actions).await?;
        written.iter().for_each(|foo| self.own_writes.remember(foo));
        Ok(())
    }

    /// Returns the queue, to see what waits.
    #[must_use]
    pub fn queue(&self) -> &WorkQueue<Key> {
        &self.queue
    }
}

impl fmt::Debug for Controller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Controller")
            .field("queue", &self.queue)
            .finish_non_exhaustive()
    }
}

// ANCHOR: limiter
/// Returns the limits of the Go sample: 5 ms, doubled with each failure of a Foo up to 1000 s; and 50 retries per second for
/// all Foos together, with bursts of 300.
fn limiter() -> MaxOf<Key> {
    MaxOf::new()
        .and(Exponential::new(
            Duration::from_millis(5),
            Duration::from_secs(1000),
        ))
        .and(TokenBucket::new(50.0, 300))
}
// ANCHOR_END: limiter

/// A cache that is behind is no news; everything else is.
fn log_failure(key: &Key, error: &SyncError) {
    if error.is_stale_cache() {
        tracing::debug!(foo = %key, %error, "trying again: the cache is behind");
    } else {
        tracing::warn!(foo = %key, %error, "trying again later");
    }
}
