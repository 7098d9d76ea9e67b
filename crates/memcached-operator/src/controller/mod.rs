//! kube's controller, connected to informers: the triggers of the controller and the listers of the reconciler share one
//! watch per kind.
//!
//! [`reconcile`](crate::reconcile) decides which actions are needed; this module observes the state and performs them.

mod execute;
mod metrics;

use std::fmt;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kgen_runtime::clock::{Clock, SystemClock};
use kgen_runtime::controller::{primary, touched};
use kgen_runtime::metrics::Metrics;
use kgen_runtime::queue::{Exponential, RateLimiter};
use kgen_runtime::recorder::{EventType, Recorder};
use kgen_runtime::{Informer, InformerFactory, InformerOptions, Lister, OwnWrites};
use kube::runtime::controller::{Action, Config, Error};
use kube::runtime::reflector::ObjectRef;
use kube::{Client, ResourceExt};
use tokio_util::sync::CancellationToken;

use self::metrics::ReconcileMetrics;
use crate::api::v1alpha1::Memcached;
use crate::reconcile::{INSTANCE_LABEL, Observed, POD_SELECTOR, reconcile};

pub use self::execute::SyncError;

/// The name of the operator, which is also its field manager and its event source.
pub const NAME: &str = "memcached-operator";

/// The period after which every Memcached is reconciled even if it has not changed.
pub const RESYNC: Duration = Duration::from_secs(300);

/// The index of pods by their Memcached.
const BY_MEMCACHED: &str = "memcached";

/// The reason why the controller ended or could not start.
#[derive(Debug, thiserror::Error)]
pub enum ControllerError {
    /// It had to end before the caches had synced.
    #[error("failed to wait for caches to sync")]
    NotSynced(#[source] kgen_runtime::Error),
    /// The caches cannot be set up.
    #[error("the caches cannot be set up")]
    Index(#[source] kgen_runtime::Error),
}

/// Manages the Deployments of all Memcacheds. Clones are the same controller.
#[derive(Clone)]
pub struct Controller {
    factory: InformerFactory,
    memcacheds: Informer<Memcached>,
    deployments: Informer<Deployment>,
    pods: Informer<Pod>,
    context: Arc<Context>,
}

/// The state of the reconciler.
struct Context {
    client: Client,
    deployments: Lister<Deployment>,
    pods: Lister<Pod>,
    image: String,
    recorder: Recorder,
    clock: Arc<dyn Clock>,
    own_writes: OwnWrites<Memcached>,
    /// Exponential backoff per Memcached from 5 ms to 1000 s.
    limiter: Mutex<Exponential<ObjectRef<Memcached>>>,
    metrics: ReconcileMetrics,
}

impl Controller {
    /// Creates a controller for the Memcacheds that the informers of `factory` watch. The servers run `image`.
    ///
    /// [`Controller::run`] fills the caches and reconciles.
    ///
    /// # Errors
    ///
    /// Returns an error if an index already exists, which cannot happen with new caches.
    // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=list;watch
    // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch
    // +kubebuilder:rbac:groups="",resources=pods,verbs=list;watch
    // +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
    pub fn new(
        client: Client,
        factory: InformerFactory,
        image: impl Into<String>,
        recorder: Recorder,
        metrics: &Metrics,
    ) -> Result<Self, ControllerError> {
        let memcacheds = factory.informer::<Memcached>();
        let deployments = factory.informer::<Deployment>();
        // Only pods of Memcacheds, because there can be many others.
        let pods = factory.informer_with::<Pod>(InformerOptions::new().labels(POD_SELECTOR));
        pods.add_index(BY_MEMCACHED, |pod| {
            memcached_of(pod)
                .map(|memcached| memcached.to_string())
                .into_iter()
                .collect()
        })
        .map_err(ControllerError::Index)?;
        let context = Context {
            client,
            deployments: deployments.lister(),
            pods: pods.lister(),
            image: image.into(),
            recorder,
            clock: Arc::new(SystemClock),
            own_writes: OwnWrites::default(),
            limiter: Mutex::new(Exponential::new(
                Duration::from_millis(5),
                Duration::from_secs(1000),
            )),
            metrics: ReconcileMetrics::register(metrics),
        };
        Ok(Self {
            factory,
            memcacheds,
            deployments,
            pods,
            context: Arc::new(context),
        })
    }

    /// Returns the sync state of the caches, for a readiness check.
    pub fn check_synced(&self) -> Result<(), String> {
        let report = self.factory.sync_report();
        report.into_result().map_err(|error| error.to_string())
    }

    /// Waits for the caches, and reconciles until `ending` is canceled. Then it waits for running reconciliations and
    /// stops the informers.
    ///
    /// # Errors
    ///
    /// Returns an error if it has to end before the caches have synced.
    pub async fn run(&self, workers: u16, ending: CancellationToken) -> Result<(), ControllerError> {
        let result = self.work(workers, ending).await;
        self.factory.shutdown().await;
        result
    }

    async fn work(&self, workers: u16, ending: CancellationToken) -> Result<(), ControllerError> {
        self.factory.start();
        tracing::info!("waiting for caches to sync");
        let synced = ending.run_until_cancelled(self.factory.wait_for_sync()).await;
        let report = synced.unwrap_or_else(|| self.factory.sync_report());
        report.into_result().map_err(ControllerError::NotSynced)?;

        tracing::info!(workers, "starting workers");
        // The streams start with the cached objects. Created any earlier, they would fill up while another replica is the leader.
        let (objects, store) = primary(&self.memcacheds);
        let known = self.memcacheds.lister();
        kube::runtime::Controller::for_shared_stream(objects, store)
            .watches_shared_stream(touched(&self.deployments), move |deployment| {
                // By name and not by owner, because the deletion of another owner's Deployment frees its name.
                named_like(&deployment, &known)
            })
            .watches_shared_stream(touched(&self.pods), |pod| memcached_of(&pod))
            .with_config(Config::default().concurrency(workers))
            .graceful_shutdown_on(ending.cancelled_owned())
            .run(sync, retry, Arc::clone(&self.context))
            .for_each(|outcome| {
                log_outcome(outcome.err());
                ready(())
            })
            .await;
        tracing::info!("workers have ended");
        Ok(())
    }

    /// Uses `clock` for the times of conditions. Call it before all other methods.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock) -> Self {
        if let Some(context) = Arc::get_mut(&mut self.context) {
            context.clock = Arc::new(clock);
        }
        self
    }
}

/// Reconciles one Memcached, for kube's controller.
async fn sync(memcached: Arc<Memcached>, context: Arc<Context>) -> Result<Action, SyncError> {
    let began = tokio::time::Instant::now();
    let result = context.sync(&memcached).await;
    context.metrics.observe(began.elapsed(), result.is_ok());
    result?;
    context.limiter().forget(&ObjectRef::from_obj(&memcached));
    // The informers report changes and deletions, and resync periodically.
    Ok(Action::await_change())
}

/// Returns when to retry.
fn retry(memcached: Arc<Memcached>, error: &SyncError, context: Arc<Context>) -> Action {
    let delay = context.limiter().when(&ObjectRef::from_obj(&memcached));
    if !error.is_stale_cache() {
        let message = error.to_string();
        context
            .recorder
            .event(&*memcached, EventType::Warning, "Failed", message);
    }
    Action::requeue(delay)
}

impl Context {
    async fn sync(&self, memcached: &Arc<Memcached>) -> Result<(), SyncError> {
        if self.own_writes.are_newer_than(memcached) {
            return Ok(());
        }
        let name = memcached.name_any();
        let namespace = memcached.namespace().unwrap_or_default();
        let deployment = match self.deployments.get(Some(&namespace), &name) {
            Ok(deployment) => Some(deployment),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(SyncError::Cache(error)),
        };
        let key = ObjectRef::from_obj(&**memcached).to_string();
        let pods = self.pods.by_index(BY_MEMCACHED, &key).map_err(SyncError::Cache)?;
        let actions = reconcile(Observed {
            memcached,
            deployment: deployment.as_deref(),
            pods: &pods,
            image: &self.image,
            now: self.clock.now(),
        })?;
        self.carry_out(memcached, actions).await
    }

    fn limiter(&self) -> MutexGuard<'_, Exponential<ObjectRef<Memcached>>> {
        self.limiter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the Memcached of a pod, which can have been deleted.
fn memcached_of(pod: &Pod) -> Option<ObjectRef<Memcached>> {
    let name = pod.labels().get(INSTANCE_LABEL)?;
    Some(ObjectRef::new(name).within(&pod.namespace()?))
}

/// Returns the Memcached with the name of a Deployment, if it exists.
fn named_like(deployment: &Deployment, known: &Lister<Memcached>) -> Option<ObjectRef<Memcached>> {
    let namespace = deployment.namespace()?;
    let memcached = known.get(Some(&namespace), &deployment.name_any()).ok()?;
    Some(ObjectRef::from_obj(&*memcached))
}

/// Logs an error. A cache that is out of date and a pod of a deleted Memcached are expected, so they are debug messages.
fn log_outcome<Q: std::error::Error>(error: Option<Error<SyncError, Q>>) {
    match error {
        None => {}
        Some(Error::ReconcilerFailed(error, memcached)) if error.is_stale_cache() => {
            tracing::debug!(%memcached, %error, "the cache is out of date, will retry");
        }
        Some(Error::ReconcilerFailed(error, memcached)) => {
            tracing::warn!(%memcached, %error, "reconciliation failed, will retry");
        }
        Some(Error::ObjectNotFound(memcached)) => tracing::debug!(%memcached, "the Memcached was deleted"),
        Some(error) => tracing::error!(%error, "the controller failed"),
    }
}

impl fmt::Debug for Controller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Controller").finish_non_exhaustive()
    }
}
