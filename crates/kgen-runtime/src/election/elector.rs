//! One replica in an election: it waits, leads, and releases the lease.

use std::fmt;
use std::future::Future;
use std::pin::pin;

use kube::Client;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::config::Builder;
use super::lease::Lock;
use super::status::Status;
use crate::metrics::ElectionMetrics;
use crate::recorder::EventType;

/// A candidate in a leader election.
///
/// ```
/// use kgen_runtime::election::{Elector, Outcome};
/// use kgen_runtime::shutdown::Shutdown;
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// # // A server without leases, which accepts every request.
/// # let client = kube::Client::new(tower::service_fn(async |request: http::Request<kube::client::Body>| {
/// #     use http_body_util::BodyExt;
/// #     let (code, body) = match *request.method() {
/// #         http::Method::GET => (404, r#"{"kind":"Status","reason":"NotFound","code":404}"#.into()),
/// #         _ => (200, request.into_body().collect().await?.to_bytes()),
/// #     };
/// #     let response = http::Response::builder().status(code).body(kube::client::Body::from(body));
/// #     response.map_err(kube::Error::HttpError)
/// # }), "default");
/// let shutdown = Shutdown::default(); // in `main`: `Shutdown::on_signals()?`
/// let elector = Elector::builder(client, "my-namespace", "my-operator").build()?;
/// let outcome = elector
///     .lead(shutdown.requested(), async |ending| {
///         // Work until the token is canceled. After that, the lease is released.
/// #       shutdown.signal();
///         ending.cancelled().await;
///     })
///     .await;
/// // After `Outcome::Lost`, another replica can be the leader: exit with an error, so that the process is restarted.
/// assert_eq!(outcome, Outcome::Finished(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Elector {
    lock: Lock,
}

/// How the leadership ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome<T> {
    /// The work ended, by itself or on request.
    Finished(T),
    /// The lease was lost and the work was dropped. The process should exit, because its state can be out of date.
    Lost,
    /// The work did not end in time and was dropped. The lease was not released and will expire, because tasks that the
    /// work has started can still be running.
    TimedOut,
    /// The process ended before this replica became the leader.
    NeverLed,
}

impl Elector {
    /// Starts to configure an election with the lease `name` in `namespace`.
    pub fn builder(client: Client, namespace: impl Into<String>, name: impl Into<String>) -> Builder {
        Builder::new(client, namespace.into(), name.into())
    }

    pub(super) fn new(config: Builder) -> Self {
        Self {
            lock: Lock::new(config),
        }
    }

    /// Returns a view of the running election, for health checks and logs.
    pub fn status(&self) -> Status {
        self.lock.status.clone()
    }

    /// Returns the identity of this replica.
    pub fn identity(&self) -> &str {
        &self.lock.config.identity
    }

    /// Waits until this replica is the leader, and then runs `work` once, for as long as it leads.
    ///
    /// - When the lease is lost, the work is dropped at its next `await`. Its token is canceled, which stops the tasks
    ///   that it has started.
    /// - When `stop` ends, the token is canceled and the work has time to end. The lease is renewed meanwhile.
    /// - When the work has ended, the lease is released. If it does not end in time, the lease expires instead, because
    ///   tasks of the dropped work can still be running.
    ///
    /// Dropping the future drops the work and stops the renewal immediately, and the lease expires.
    pub async fn lead<T>(
        mut self,
        stop: impl Future<Output = ()>,
        work: impl AsyncFnOnce(CancellationToken) -> T,
    ) -> Outcome<T> {
        let mut stop = pin!(stop);
        let Some(acquired) = self.lock.acquire(stop.as_mut()).await else {
            return Outcome::NeverLed;
        };
        self.tell("became leader");
        let believed = Believed::new(&self.lock);
        let release = self.lock.config.release;
        let grace = self.lock.config.grace;
        let ending = CancellationToken::new();
        // This runs however the function ends, even if it is dropped: tasks that the work has started must stop.
        let _ends = ending.clone().drop_guard();
        let stop_renewing = CancellationToken::new();
        // A set of one, because a set aborts its tasks when it is dropped.
        let mut renewing = JoinSet::new();
        renewing.spawn({
            let stop_renewing = stop_renewing.clone();
            async move {
                stop_renewing.run_until_cancelled(self.lock.renew(acquired)).await;
                self
            }
        });

        let (outcome, elector) = {
            let mut work = pin!(work(ending.clone()));
            let mut patience = pin!(async {
                stop.await;
                ending.cancel();
                tokio::time::sleep(grace).await;
            });
            tokio::select! {
                // The lease is polled first: without it, the work must not continue.
                biased;
                elector = renewing.join_next() => (Outcome::Lost, elector),
                result = &mut work => (Outcome::Finished(result), None),
                () = &mut patience => (Outcome::TimedOut, None),
            }
        };
        // The work is dropped by now.
        drop(believed);
        stop_renewing.cancel();
        let elector = match elector {
            Some(elector) => Some(elector),
            None => renewing.join_next().await,
        };
        if let Some(Ok(mut elector)) = elector {
            elector.tell("stopped leading");
            if release && matches!(outcome, Outcome::Finished(_)) {
                elector.lock.release().await;
            }
        }
        outcome
    }

    /// Logs, and writes an event about the lease.
    fn tell(&self, what: &str) {
        let identity = self.identity();
        tracing::info!(lease = self.lock.config.name, identity, "{what}");
        if let (Some(recorder), Some(lease)) = (&self.lock.config.recorder, self.lock.lease()) {
            recorder.event(
                lease,
                EventType::Normal,
                "LeaderElection",
                format!("{identity} {what}"),
            );
        }
    }
}

impl fmt::Debug for Elector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Elector")
            .field("config", &self.lock.config)
            .finish_non_exhaustive()
    }
}

/// Marks this replica as the leader until it is dropped.
struct Believed {
    status: Status,
    metrics: Option<ElectionMetrics>,
}

impl Believed {
    fn new(lock: &Lock) -> Self {
        let believed = Self {
            status: lock.status.clone(),
            metrics: lock.metrics.clone(),
        };
        believed.tell(true);
        believed
    }

    fn tell(&self, leading: bool) {
        self.status.set_leading(leading);
        if let Some(metrics) = &self.metrics {
            metrics.master_status.set(leading.into());
        }
    }
}

impl Drop for Believed {
    fn drop(&mut self) {
        self.tell(false);
    }
}
