//! The manager of an operator. It combines connection, informers, controllers, leader election, events, metrics, probes and
//! webhooks, and stops them in the right order.
//!
//! A manager only uses the other public parts of this crate, which also work without it.

mod addresses;
mod builder;
mod controller;
mod factories;
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

pub use self::addresses::Addresses;
pub use self::builder::Builder;
use self::builder::ServedMetrics;
pub use self::controller::{Controller, Next, Reconciler};
use self::factories::Factories;
pub use self::key::ObjectKey;
use self::serving::{Serving, deadline};
pub use self::work::AddedTask;
use self::work::{GRACE_FOR_ABORT, Task, operate};
use crate::election::{ElectionError, Elector};
use crate::health::{Health, HealthError, Server};
use crate::metrics::Metrics;
use crate::migration::{MigrationReport, StorageMigration};
use crate::recorder::{EventWriter, Recorder};
use crate::shutdown::Shutdown;
use crate::{Causes, Connection, InformerFactory};

/// The time that the shutdown of the process can take. A pod has 30 s by default.
pub const GRACE: Duration = Duration::from_secs(25);

/// The part of the grace period in which handlers of informers have to end.
const GRACE_FOR_HANDLERS: Duration = Duration::from_secs(1);

/// The part of the grace period that is reserved for writing the last events.
const GRACE_FOR_EVENTS: Duration = Duration::from_secs(2);

/// The time after the expiry of its lease when a leader counts as stuck.
const LEASE_TOLERANCE: Duration = Duration::from_secs(20);

/// The error of a task.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The reason why a manager could not start or ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ManagerError {
    /// The configuration of the cluster is missing or invalid.
    #[error("{what}")]
    Connect {
        /// The operation that failed.
        what: String,
        /// The reason.
        source: BoxError,
    },
    /// The settings of leader election are invalid.
    #[error(transparent)]
    Election(#[from] ElectionError),
    /// Metrics and probes could not be served.
    #[error(transparent)]
    Health(#[from] HealthError),
    /// Webhooks could not be served.
    #[cfg(feature = "webhook")]
    #[error(transparent)]
    Webhook(#[from] crate::webhook::WebhookError),
    /// The caches did not sync in time, or before the process had to end. The source names the informers and the reasons.
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
    /// The lease was lost. The process should exit and be restarted.
    #[error("the lease was lost, so another replica can be the leader")]
    LostLease,
    /// Tasks did not end in time and were aborted.
    #[error("tasks did not end within {grace:?}")]
    TimedOut {
        /// The time that they had.
        grace: Duration,
    },
    /// A task failed or panicked.
    #[error("{name} failed")]
    Task {
        /// Its name.
        name: String,
        /// The reason.
        source: BoxError,
    },
}

/// Runs the controllers, tasks and servers of an operator.
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
///         .serve_metrics_insecurely(Some("0.0.0.0:8080".parse()?)) // `serve_metrics` with the feature `webhook`
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
    /// The informers of other clusters.
    others: Vec<InformerFactory>,
    metrics: Metrics,
    recorder: Recorder,
    writer: EventWriter,
    health: Health,
    addresses: Addresses,
    tasks: Vec<Task>,
    /// The places where controllers were added, by name.
    controllers: BTreeMap<String, &'static Location<'static>>,
    /// The first controller that was rejected.
    refused: Option<ManagerError>,
    #[cfg(feature = "webhook")]
    webhooks: webhooks::Webhooks,
}

impl Manager {
    /// Starts to configure a manager. `name` is its field manager, its event source and its lease.
    pub fn builder(name: impl Into<String>) -> Builder {
        Builder::new(name.into())
    }

    /// Returns the connection, with the name of the manager as the field manager.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Returns the informers. [`Self::run`] starts every requested informer, and the manager is ready when they have synced.
    #[must_use]
    pub fn informers(&self) -> &InformerFactory {
        &self.informers
    }

    /// Also starts the informers of `factory`, waits for their sync and stops them, for example those of another cluster.
    /// Controllers can watch them.
    ///
    /// ```no_run
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use kgen_runtime::manager::Manager;
    /// use kgen_runtime::{Connection, Informer, InformerFactory};
    ///
    /// fn maps_of_another_cluster(manager: &mut Manager, other: &Connection) -> Informer<ConfigMap> {
    ///     let factory = InformerFactory::builder(other).metrics(manager.metrics()).build();
    ///     manager.also(&factory);
    ///     factory.informer::<ConfigMap>()
    /// }
    /// ```
    pub fn also(&mut self, factory: &InformerFactory) {
        self.others.push(factory.clone());
    }

    /// Returns the recorder for events about objects.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Returns the metrics that the manager serves.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the addresses at which [`Self::run`] listens. A setting with port 0 lets the system choose a port.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        self.addresses.clone()
    }

    /// Returns how many objects a controller reconciles concurrently, for controllers of other libraries.
    #[must_use]
    pub fn workers(&self) -> u16 {
        self.settings.workers
    }

    /// Adds a controller. It starts when the caches have synced and, with leader election, this replica is the leader. Its
    /// queue is empty before.
    ///
    /// If two controllers have the same name, [`Self::run`] returns an error with both places.
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
        let every_replica = controller.is_on_every_replica();
        self.add_task(name, |ending| controller.run(ending))
            .every_replica(every_replica);
    }

    /// Adds a task that starts when the caches have synced and, with leader election, this replica is the leader. It
    /// should end soon after the token is canceled, and is aborted if it does not end in time. An error stops the
    /// manager.
    ///
    /// ```no_run
    /// # use kgen_runtime::manager::Manager;
    /// fn register(manager: &mut Manager) {
    ///     manager
    ///         .add_task("cleanup", |ending| async move {
    ///             ending.cancelled().await;
    ///             Ok(())
    ///         })
    ///         .every_replica(true); // without it: only on the leader
    /// }
    /// ```
    pub fn add_task<F>(
        &mut self,
        name: impl Into<String>,
        start: impl FnOnce(CancellationToken) -> F + Send + 'static,
    ) -> AddedTask<'_>
    where
        F: Future<Output = Result<(), BoxError>> + Send + 'static,
    {
        self.tasks.push(Task {
            name: name.into(),
            every_replica: false,
            start: Box::new(|ending| Box::pin(start(ending))),
        });
        AddedTask {
            tasks: &mut self.tasks,
        }
    }

    /// Rewrites all objects of a kind in the stored version of its CRD, as the leader. The log has the result. A failure does not
    /// end the manager, because the next start tries again. If nothing is left to do, a start lists the metadata of the objects.
    pub fn migrate_storage<K: kube::Resource<DynamicType = ()>>(&mut self) {
        let migration = StorageMigration::of::<K>(self.connection.client().clone());
        let resource = format!("{}.{}", K::plural(&()), K::group(&()));
        self.add_task(format!("migration of {resource}"), |ending| async move {
            match ending.run_until_cancelled_owned(migration.run()).await {
                None => {}
                Some(Ok(report)) if report == MigrationReport::default() => {}
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

    /// Adds webhooks. Every replica serves them, leader or not, if the settings have an address and a certificate.
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

    /// Runs until `shutdown` is requested or a task fails. Then it stops tasks, informers, events and servers, in this order.
    ///
    /// It acquires the lease after the caches have synced, so that a replica that cannot sync does not become the leader.
    ///
    /// # Errors
    ///
    /// Returns an error if the operator should be restarted.
    pub async fn run(mut self, shutdown: &Shutdown) -> Result<(), ManagerError> {
        let elector = self.elector()?;
        let informers = Factories::new(self.informers.clone(), std::mem::take(&mut self.others));
        let observed = informers.clone();
        self.add_task("informers", |ending| async move {
            let broken = ending.run_until_cancelled(observed.broken()).await;
            broken.map_or(Ok(()), |what| Err(what.into()))
        })
        .every_replica(true);
        let Self {
            settings,
            metrics,
            writer,
            health,
            addresses,
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
            addresses.set_probes(server.address());
            serving.add(serve("probes", server, serving.token()));
        }
        match settings.metrics {
            Some(ServedMetrics::Plain(address)) => {
                let server = metrics.listen(address).await?;
                addresses.set_metrics(server.address());
                serving.add(serve("metrics", server, serving.token()));
            }
            #[cfg(feature = "webhook")]
            Some(ServedMetrics::Secured(address)) => {
                let server = metrics.secured(self.connection.client());
                let mut server = server.http2(settings.metrics_http2);
                if let Some(folder) = settings.metrics_certificates {
                    server = server.certificates(folder);
                }
                let server = server.listen(address).await?;
                addresses.set_metrics(server.address());
                tracing::info!(address = %server.address(), "serving metrics over TLS");
                let stop = serving.token().clone().cancelled_owned();
                serving.add(tokio::spawn(server.serve(stop)));
            }
            None => {}
        }
        #[cfg(feature = "webhook")]
        if let Some(server) = self
            .webhooks
            .serve(settings.webhooks, &metrics, serving.token())
            .await?
        {
            serving.add(server);
        }

        // Replicas without the lease fill their caches too, so that the next leader does not have to wait.
        informers.start();
        // Not the token of the process: a failed task stops only the other tasks.
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
            // The shutdown starts now at the latest.
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

        // The last events are about the shutdown, so their writer ends last.
        writer.shutdown(GRACE_FOR_EVENTS).await;
        serving.end(deadline).await;
        result
    }

    fn elector(&self) -> Result<Option<Elector>, ElectionError> {
        if !self.settings.leader_election {
            return Ok(None);
        }
        let namespace = self.settings.lease_namespace.as_ref().unwrap_or(&self.namespace);
        let name = self.settings.lease_name.as_ref().unwrap_or(&self.settings.name);
        let elector = Elector::builder(self.connection.client().clone(), namespace, name)
            .grace(self.settings.grace + GRACE_FOR_ABORT)
            .metrics(&self.metrics)
            .recorder(&self.recorder);
        let elector = match &self.settings.election {
            Some(adjust) => adjust.apply(elector),
            None => elector,
        };
        elector.build().map(Some)
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

/// Waits until all caches have synced.
async fn fill_caches(
    informers: &Factories,
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

fn with_checks(mut health: Health, informers: &Factories, elector: Option<&Elector>) -> Health {
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
