//! Everything that the `main` of an operator brings together: connection, informers, controllers, leader election, events,
//! metrics, probes and webhooks, and their end in the right order.
//!
//! Nothing in here can only be had this way: a manager holds the other parts of this crate and calls them.

mod builder;
mod controller;
mod key;
mod serving;
#[cfg(feature = "webhook")]
mod webhooks;
mod work;

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::time::Duration;

use thiserror::Error;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use self::builder::Builder;
pub use self::controller::{Controller, Next, Reconciler};
pub use self::key::ObjectKey;
use self::serving::{Serving, deadline};
use self::work::{GRACE_FOR_ABORT, Task, operate};
use crate::election::{ElectionError, Elector};
use crate::health::{Health, HealthError, Server};
use crate::metrics::Metrics;
use crate::migration::StorageMigration;
use crate::recorder::{EventWriter, Recorder};
use crate::shutdown::Shutdown;
use crate::{Causes, Connection, InformerFactory};

/// How long the end of the process may take. A pod has 30 s by default.
pub const GRACE: Duration = Duration::from_secs(25);

/// How much of it handlers of informers may take to finish.
const GRACE_FOR_HANDLERS: Duration = Duration::from_secs(1);

/// How much of it the last events may take to be written.
const GRACE_FOR_EVENTS: Duration = Duration::from_secs(2);

/// How long a lease may be expired before a leader that still believes in it counts as stuck.
const LEASE_TOLERANCE: Duration = Duration::from_secs(20);

/// Any error of a task.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

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
    /// The caches were not filled in time, or before the process had to end. The source says which, and why.
    #[error("failed to wait for caches to sync")]
    NotSynced(#[source] crate::Error),
    /// Two controllers have the same name, which is also the name of their queues and metrics.
    #[error("the controllers added at {first} and at {second} are both named {name:?}")]
    DuplicateController {
        /// The name.
        name: String,
        /// The place where the first one was added.
        first: &'static Location<'static>,
        /// The place where the second one was added.
        second: &'static Location<'static>,
    },
    /// The lease was lost. The process should end and be started anew.
    #[error("another replica may lead by now, so this one ends")]
    LostLease,
    /// Work did not end in time, and was aborted.
    #[error("work did not end within {grace:?}")]
    TimedOut {
        /// The time that it had.
        grace: Duration,
    },
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
/// use kgen_runtime::shutdown::{Ended, Shutdown};
/// use std::process::ExitCode;
///
/// #[tokio::main]
/// async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
///     let shutdown = Shutdown::on_signals()?;
///     let mut manager = Manager::builder("my-operator")
///         .leader_election(true)
///         .serve_metrics(Some("0.0.0.0:8080".parse()?))
///         .serve_probes(Some("0.0.0.0:8081".parse()?))
///         .connect()
///         .await?;
///     // controller::register(&mut manager);
///     let ended = shutdown.run(GRACE, manager.run(&shutdown)).await;
///     let code = ended.exit_code();
///     if let Ended::Finished(Err(error)) = ended {
///         return Err(error.into());
///     }
///     Ok(code)
/// }
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
    /// The places where controllers were added, by name.
    controllers: BTreeMap<String, &'static Location<'static>>,
    /// The first controller that was refused.
    refused: Option<ManagerError>,
    #[cfg(feature = "webhook")]
    webhooks: webhooks::Webhooks,
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

    /// Adds a controller. It begins with the objects in the caches when they are filled and, with leader election, this replica
    /// leads; before that, nothing is queued.
    ///
    /// A second controller of the same name is refused: [`Self::run`] then returns an error that names both places.
    #[track_caller]
    pub fn add<R: Reconciler>(&mut self, controller: Controller<R>) {
        let name = controller.name().to_owned();
        let place = Location::caller();
        if let Some(first) = self.controllers.get(&name) {
            self.refused.get_or_insert(ManagerError::DuplicateController {
                name,
                first,
                second: place,
            });
            return;
        }
        self.controllers.insert(name.clone(), place);
        self.add_task(name, |ending| controller.run(ending));
    }

    /// Adds something to do when the caches are filled and, with leader election, this replica leads. It should end soon after
    /// the token is cancelled, and is aborted if it does not end in time. An error ends the manager.
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

    /// Rewrites all objects of a kind in the stored version of its CRD, as the leader. The log tells how it ended; a failure
    /// does not end the manager, because the next start tries again.
    pub fn migrate_storage<K: kube::Resource<DynamicType = ()>>(&mut self) {
        let migration = StorageMigration::of::<K>(self.connection.client().clone());
        let resource = format!("{}.{}", K::plural(&()), K::group(&()));
        self.add_task(format!("migration of {resource}"), |ending| async move {
            match ending.run_until_cancelled_owned(migration.run()).await {
                None => {}
                Some(Ok(report)) if report.removed_versions.is_empty() => {}
                Some(Ok(report)) => tracing::info!(
                    resource,
                    objects = report.migrated,
                    removed_versions = ?report.removed_versions,
                    "all objects are stored in the stored version"
                ),
                Some(Err(error)) => {
                    tracing::error!(resource, error = %Causes(&error), "the storage migration failed");
                }
            }
            Ok(())
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
    /// The caches are filled before the lease is acquired, so a replica that cannot fill them does not keep others from leading.
    ///
    /// # Errors
    ///
    /// If the operator should be restarted.
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
            metrics,
            writer,
            health,
            tasks,
            refused,
            ..
        } = self;
        if let Some(refused) = refused {
            return Err(refused);
        }
        let mut serving = Serving::new();
        if let Some(address) = settings.probes {
            let health = with_checks(health, &informers, elector.as_ref());
            let server = health.listen(address).await?;
            serving.add(serve("probes", server, serving.token()));
        }
        if let Some(address) = settings.metrics {
            let server = metrics.listen(address).await?;
            serving.add(serve("metrics", server, serving.token()));
        }
        #[cfg(feature = "webhook")]
        if let Some(server) = self
            .webhooks
            .serve(settings.webhooks, &metrics, serving.token())
            .await?
        {
            serving.add(server);
        }

        // Also without the lease: the next leader should not have to wait for its caches.
        informers.start();
        // Not the token of the process: a task that fails ends the others, and not what the process ends elsewhere.
        let ending = shutdown.token().child_token();
        let deadline_of_end = async {
            ending.cancelled().await;
            deadline(settings.grace)
        };
        let work = async {
            let result = match fill_caches(&informers, settings.sync_timeout, shutdown).await {
                Ok(()) => operate(tasks, elector, settings.grace, &ending).await,
                Err(error) => Err(error),
            };
            // The end begins now, if not before.
            ending.cancel();
            result
        };
        let (deadline, result) = tokio::join!(deadline_of_end, work);
        if tokio::time::timeout(GRACE_FOR_HANDLERS, informers.shutdown())
            .await
            .is_err()
        {
            tracing::error!("a handler of an informer did not end within {GRACE_FOR_HANDLERS:?}");
        }

        // The last events tell how it ended, so their writer ends last.
        writer.shutdown(GRACE_FOR_EVENTS).await;
        serving.end(deadline).await;
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
        .grace(self.settings.grace + GRACE_FOR_ABORT)
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

/// Waits until all caches are filled.
async fn fill_caches(
    informers: &InformerFactory,
    timeout: Duration,
    shutdown: &Shutdown,
) -> Result<(), ManagerError> {
    let report = tokio::select! {
        report = informers.wait_for_sync() => report,
        () = shutdown.requested() => informers.sync_report(),
        () = tokio::time::sleep(timeout) => informers.sync_report(),
    };
    report.into_result().map_err(ManagerError::NotSynced)
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

fn serve(what: &str, server: Server, stop: &CancellationToken) -> JoinHandle<()> {
    tracing::info!(address = %server.address(), "serving {what}");
    tokio::spawn(server.serve(stop.clone().cancelled_owned()))
}
