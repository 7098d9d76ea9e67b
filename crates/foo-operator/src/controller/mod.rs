//! The controller: informers add the keys of changed objects to a queue, and workers reconcile one Foo after the other.
//!
//! [`reconcile`](crate::reconcile) decides which actions are needed; this module observes the state and performs them.

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

use crate::api::v1::Foo;
use crate::generated::example_v1::FooInformer;
use crate::generated::{Clientset, Informers};
use crate::reconcile::{Observed, reconcile};

pub use self::execute::{SyncError, carry_out};

/// The name of the operator, which is also its field manager and its event source.
pub const NAME: &str = "foo-operator";

/// The period after which every Foo is reconciled even if it has not changed.
const RESYNC: Duration = Duration::from_secs(30);

/// The key of a Foo.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Key {
    /// The namespace.
    pub namespace: String,
    /// The name.
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

/// The reason why the controller ended.
#[derive(Debug, thiserror::Error)]
pub enum ControllerError {
    /// It had to end before the caches had synced.
    #[error("failed to wait for caches to sync")]
    NotSynced(#[source] kgen_runtime::Error),
    /// A worker panicked.
    #[error("a worker ended unexpectedly")]
    Worker(#[source] tokio::task::JoinError),
}

/// Manages the Deployments of all Foos. Clones are the same controller.
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
    /// Creates a controller for the Foos in these namespaces, or in all namespaces if the list is empty.
    ///
    /// [`Controller::start`] fills the caches, and [`Controller::run`] reconciles.
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
        let foos = informers.example_v1().foos();
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

    /// Uses `clock` for the times of conditions.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Starts to fill the caches, also if this replica is not the leader. The queue stays empty.
    pub fn start(&self) {
        self.informers.start();
    }

    /// Returns the sync state of the caches, with the objects that cannot be read, for a readiness check.
    pub fn check_synced(&self) -> Result<String, String> {
        let report = self.informers.factory().sync_report();
        let details = report.to_string();
        report
            .into_result()
            .map(|()| details)
            .map_err(|error| error.to_string())
    }

    /// Waits until the caches have synced.
    ///
    /// # Errors
    ///
    /// Returns an error if that takes longer than `timeout`, or if `ending` is canceled before.
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

    /// Waits for the caches, and reconciles until `ending` is canceled. Then it drains the queue, waits for the
    /// workers, and stops the informers.
    ///
    /// # Errors
    ///
    /// Returns an error if it has to end before the caches have synced, or if a worker panics.
    pub async fn run(&self, workers: usize, ending: CancellationToken) -> Result<(), ControllerError> {
        let result = self.work(workers.max(1), ending).await;
        self.queue.shutdown();
        self.informers.shutdown().await;
        result
    }

    async fn work(&self, workers: usize, ending: CancellationToken) -> Result<(), ControllerError> {
        self.start();
        self.wait_for_caches(Duration::MAX, &ending).await?;
        // Handlers are registered only now, because the queue must stay empty without workers. They start with the cached objects.
        let _handlers = self.watch();

        tracing::info!(workers, "starting workers");
        // The set aborts its tasks when it is dropped, because a leader that loses its lease drops this future.
        let mut tasks = JoinSet::new();
        for _ in 0..workers {
            tasks.spawn(self.clone().worker());
        }
        let drained = async {
            ending.cancelled().await;
            tracing::info!("draining the queue");
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

    /// Queues the cached Foos and then every change, until the registrations are dropped. [`Controller::run`] calls it.
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

    /// Reconciles one Foo.
    ///
    /// # Errors
    ///
    /// Returns an error if a cached object cannot be deserialized, a write fails, or the Deployment has another owner. The queue
    /// then retries the Foo.
    pub async fn sync(&self, key: &Key) -> Result<(), SyncError> {
        let foo = match self.foos.lister().namespace(&key.namespace).get(&key.name) {
            Ok(foo) => foo,
            Err(error) if error.is_not_found() => {
                tracing::info!(foo = %key, "the Foo was deleted");
                self.own_writes.forget(&key.namespace, &key.name);
                return Ok(());
            }
            Err(error) => return Err(SyncError::Cache(error)),
        };
        if self.own_writes.are_newer_than(&foo) {
            return Ok(());
        }
        if foo.spec.deployment_name.is_empty() {
            tracing::warn!(foo = %key, "the Foo has no deploymentName");
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

    /// Returns the queue.
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
/// Returns the limits of the Go sample: exponential backoff per Foo from 5 ms to 1000 s, and 50 retries per second with
/// bursts of 300 for all Foos.
fn limiter() -> MaxOf<Key> {
    MaxOf::new()
        .and(Exponential::new(
            Duration::from_millis(5),
            Duration::from_secs(1000),
        ))
        .and(TokenBucket::new(50.0, 300))
}
// ANCHOR_END: limiter

/// Logs an error. A cache that is out of date is expected, so it is only a debug message.
fn log_failure(key: &Key, error: &SyncError) {
    if error.is_stale_cache() {
        tracing::debug!(foo = %key, %error, "the cache is out of date, will retry");
    } else {
        tracing::warn!(foo = %key, %error, "reconciliation failed, will retry");
    }
}
