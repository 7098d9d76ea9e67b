//! Everything that the `main` of an operator brings together: connection, informers, controllers, leader election, events,
//! metrics, probes and webhooks, and their end in the right order.
//!
//! Nothing in here can only be had this way: a manager holds the other parts of this crate and calls them.

mod builder;
mod controller;
mod key;
#[cfg(feature = "webhook")]
mod webhooks;

use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::Duration;

use futures::FutureExt;
use thiserror::Error;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

pub use self::builder::Builder;
pub use self::controller::{Controller, Next, Reconciler};
pub use self::key::ObjectKey;
use crate::election::{ElectionError, Elector, Outcome};
use crate::health::{Health, HealthError};
use crate::metrics::Metrics;
use crate::recorder::{EventWriter, Recorder};
use crate::shutdown::Shutdown;
use crate::{Connection, InformerFactory};

/// How long the end of the process may take. A pod has 30 s by default.
pub const GRACE: Duration = Duration::from_secs(25);

/// How much of it work may take to finish.
const GRACE_FOR_WORK: Duration = Duration::from_secs(20);

/// How much of it the last events may take to be written.
const GRACE_FOR_EVENTS: Duration = Duration::from_secs(2);

/// How long a lease may be expired before a leader that still believes in it counts as stuck.
const LEASE_TOLERANCE: Duration = Duration::from_secs(20);

/// Any error of a task.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

type TaskFuture = Pin<Box<dyn Future<Output = Result<(), BoxError>> + Send>>;

/// Why a manager could not start, or ended before it was told to.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ManagerError {
    /// There is no way to a cluster.
    #[error("{what}")]
    Connect {
        /// What could not be done.
        what: String,
        /// Why.
        source: BoxError,
    },
    /// Leader election is set up in a way that cannot work.
    #[error(transparent)]
    Election(#[from] ElectionError),
    /// Metrics and probes could not be served.
    #[error(transparent)]
    Health(#[from] HealthError),
    /// Webhooks could not be served.
    #[cfg(feature = "webhook")]
    #[error(transparent)]
    Webhook(#[from] crate::webhook::WebhookError),
    /// It was told to end before it knew what there is.
    #[error("failed to wait for caches to sync")]
    NotSynced(#[source] crate::Error),
    /// The lease was lost. The process should end and be started anew.
    #[error("another replica may lead by now, so this one ends")]
    LostLease,
    /// Work did not end in time.
    #[error("work did not end within {GRACE_FOR_WORK:?}")]
    TimedOut,
    /// A task failed or panicked.
    #[error("{name} has failed")]
    Task {
        /// Its name.
        name: String,
        /// Why.
        source: BoxError,
    },
}

/// Runs controllers and whatever else an operator does.
///
/// ```no_run
/// use kgen_runtime::manager::{GRACE, Manager};
/// use kgen_runtime::shutdown::Shutdown;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let shutdown = Shutdown::on_signals()?;
/// let mut manager = Manager::builder("my-operator")
///     .leader_election(true)
///     .serve(Some("0.0.0.0:8080".parse()?))
///     .connect()
///     .await?;
/// // controller::register(&mut manager);
/// let ended = shutdown.run(GRACE, manager.run(&shutdown)).await;
/// // `main` returns `ended.exit_code()`.
/// # Ok(())
/// # }
/// ```
#[must_use = "a manager does nothing until it is run"]
pub struct Manager {
    settings: Builder,
    namespace: String,
    connection: Connection,
    informers: InformerFactory,
    metrics: Metrics,
    recorder: Recorder,
    writer: EventWriter,
    health: Health,
    tasks: Vec<Task>,
    #[cfg(feature = "webhook")]
    webhooks: webhooks::Webhooks,
}

/// Something to do while this replica leads.
struct Task {
    name: String,
    start: Box<dyn FnOnce(CancellationToken) -> TaskFuture + Send>,
}

impl Manager {
    /// A manager called `name`: its fields, events and lease have that name.
    pub fn builder(name: impl Into<String>) -> Builder {
        Builder::new(name.into())
    }

    /// The connection, with the name of the manager as field manager.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The informers: whatever is asked for here is started by [`Self::run`], and counts for readiness.
    #[must_use]
    pub fn informers(&self) -> &InformerFactory {
        &self.informers
    }

    /// Writes events about objects.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The metrics that are served.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Adds a controller.
    pub fn add<R: Reconciler>(&mut self, controller: Controller<R>) {
        let name = controller.name().to_owned();
        self.add_task(name, |ending| controller.run(ending));
    }

    /// Adds something to do when the caches are filled and, with leader election, this replica leads. It should end soon after
    /// the token is cancelled. An error ends the manager.
    pub fn add_task<F>(
        &mut self,
        name: impl Into<String>,
        start: impl FnOnce(CancellationToken) -> F + Send + 'static,
    ) where
        F: Future<Output = Result<(), BoxError>> + Send + 'static,
    {
        self.tasks.push(Task {
            name: name.into(),
            start: Box::new(|ending| Box::pin(start(ending))),
        });
    }

    /// Adds webhooks. They are served by every replica, leader or not, if the settings say where.
    ///
    /// ```no_run
    /// # use kgen_runtime::manager::Manager;
    /// # use kgen_runtime::webhook::Validator;
    /// fn register(manager: &mut Manager, rules: impl Validator) {
    ///     manager.webhooks(|server| server.validating(rules));
    /// }
    /// ```
    #[cfg(feature = "webhook")]
    pub fn webhooks(
        &mut self,
        add: impl FnOnce(crate::webhook::WebhookServerBuilder) -> crate::webhook::WebhookServerBuilder,
    ) {
        self.webhooks.add(add);
    }

    /// Adds a check of `/readyz`. It must not block.
    pub fn ready(
        &mut self,
        name: impl Into<String>,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) {
        self.health = std::mem::take(&mut self.health).ready(name, check);
    }

    /// Works until `shutdown` is requested or something fails; then lets everything end in its order: work, informers, events,
    /// metrics.
    ///
    /// # Errors
    ///
    /// When the operator should be started anew.
    pub async fn run(mut self, shutdown: &Shutdown) -> Result<(), ManagerError> {
        let elector = self.elector()?;
        let informers = self.informers.clone();
        self.add_task("informers", |ending| async move {
            let broken = ending.run_until_cancelled(informers.broken()).await;
            broken.map_or(Ok(()), |what| Err(what.into()))
        });
        let Self {
            settings,
            informers,
            writer,
            health,
            tasks,
            ..
        } = self;
        let stop_serving = CancellationToken::new();
        // Whatever happens from here on, also if this function is dropped: servers must stop.
        let _stops = stop_serving.clone().drop_guard();
        let health = with_checks(health, &informers, elector.as_ref());
        let mut serving = Vec::new();
        serving.extend(serve(settings.serve, health, &stop_serving).await?);
        #[cfg(feature = "webhook")]
        serving.extend(
            self.webhooks
                .serve(settings.webhooks, &self.metrics, &stop_serving)
                .await?,
        );

        // Also without the lease: the next leader should not have to wait for its caches.
        informers.start();
        let result = operate(&informers, tasks, elector, shutdown).await;
        informers.shutdown().await;

        // The last events tell how it ended, so their writer ends last.
        writer.shutdown(GRACE_FOR_EVENTS).await;
        stop_serving.cancel();
        for server in serving {
            if let Err(error) = server.await {
                tracing::error!(%error, "a server has panicked");
            }
        }
        result
    }

    fn elector(&self) -> Result<Option<Elector>, ElectionError> {
        if !self.settings.leader_election {
            return Ok(None);
        }
        Elector::builder(
            self.connection.client().clone(),
            &self.namespace,
            &self.settings.name,
        )
        .grace(GRACE_FOR_WORK)
        .metrics(&self.metrics)
        .recorder(&self.recorder)
        .build()
        .map(Some)
    }
}

impl fmt::Debug for Manager {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tasks: Vec<&str> = self.tasks.iter().map(|task| task.name.as_str()).collect();
        formatter
            .debug_struct("Manager")
            .field("settings", &self.settings)
            .field("tasks", &tasks)
            .finish_non_exhaustive()
    }
}

async fn operate(
    informers: &InformerFactory,
    tasks: Vec<Task>,
    elector: Option<Elector>,
    shutdown: &Shutdown,
) -> Result<(), ManagerError> {
    let Some(elector) = elector else {
        return work(informers, tasks, shutdown.token()).await;
    };
    match elector
        .lead(shutdown.requested(), async |ending| {
            work(informers, tasks, ending).await
        })
        .await
    {
        Outcome::Finished(result) => result,
        Outcome::NeverLed => Ok(()),
        Outcome::Lost => Err(ManagerError::LostLease),
        Outcome::TimedOut => Err(ManagerError::TimedOut),
    }
}

/// Runs all tasks until `ending` is cancelled and they have ended, or one has failed.
async fn work(
    informers: &InformerFactory,
    tasks: Vec<Task>,
    ending: CancellationToken,
) -> Result<(), ManagerError> {
    let synced = ending.run_until_cancelled(informers.wait_for_sync()).await;
    let report = synced.unwrap_or_else(|| informers.sync_report());
    report.into_result().map_err(ManagerError::NotSynced)?;

    // Of this function alone: a task that fails ends the others, and not what `ending` ends elsewhere.
    let ends = ending.child_token();
    // A set aborts its tasks when it is dropped: a leader that has lost its lease drops this whole function.
    let mut running = JoinSet::new();
    for task in tasks {
        let future = AssertUnwindSafe((task.start)(ends.clone())).catch_unwind();
        running.spawn(async move { (task.name, future.await) });
    }
    let mut result = Ok(());
    while let Some(ended) = running.join_next().await {
        let (name, source) = match ended {
            Ok((_, Ok(Ok(())))) => continue,
            Ok((name, Ok(Err(source)))) => (name, source),
            Ok((name, Err(_))) => (name, "it has panicked".into()),
            // Nobody aborts a task.
            Err(source) => ("a task".to_owned(), source.into()),
        };
        ends.cancel();
        if result.is_ok() {
            result = Err(ManagerError::Task { name, source });
        }
    }
    if result.is_ok() {
        // Tasks may end early; there is nothing more to do, but probes are served until the end.
        ending.cancelled().await;
    }
    result
}

fn with_checks(mut health: Health, informers: &InformerFactory, elector: Option<&Elector>) -> Health {
    let caches = informers.clone();
    health = health.ready_with_details("caches", move || {
        let report = caches.sync_report();
        let details = report.to_string();
        report
            .into_result()
            .map(|()| details)
            .map_err(|error| error.to_string())
    });
    if let Some(elector) = elector {
        let status = elector.status();
        health = health.live("leaderElection", move || status.check(LEASE_TOLERANCE));
    }
    health
}

async fn serve(
    address: Option<SocketAddr>,
    health: Health,
    stop: &CancellationToken,
) -> Result<Option<JoinHandle<()>>, HealthError> {
    let Some(address) = address else {
        return Ok(None);
    };
    let server = health.listen(address).await?;
    tracing::info!(address = %server.address(), "serving metrics and probes");
    Ok(Some(tokio::spawn(server.serve(stop.clone().cancelled_owned()))))
}
