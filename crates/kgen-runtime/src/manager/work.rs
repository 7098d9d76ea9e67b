//! Runs the tasks of a manager, with or without leader election, until the process ends or a task fails.
//!
//! After a failure, tasks have the same time to end as after a signal. The lease is released when all tasks have ended.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::time::Duration;

use futures::FutureExt;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{BoxError, ManagerError};
use crate::election::{Elector, Outcome};

/// The time that aborted tasks have to end. A task can only be aborted at an `await`.
pub(super) const GRACE_FOR_ABORT: Duration = Duration::from_secs(1);

pub(super) type TaskFuture = Pin<Box<dyn Future<Output = Result<(), BoxError>> + Send>>;

/// A task that runs while this replica is the leader, or on every replica.
pub(super) struct Task {
    pub(super) name: String,
    pub(super) every_replica: bool,
    pub(super) start: Box<dyn FnOnce(CancellationToken) -> TaskFuture + Send>,
}

/// A task that was added to a manager, for its options.
pub struct AddedTask<'a> {
    /// The task is the last one.
    pub(super) tasks: &'a mut Vec<Task>,
}

impl AddedTask<'_> {
    /// Runs the task on every replica, also on those that are not the leader. By default it runs only on the leader.
    pub fn every_replica(self, every_replica: bool) {
        if let Some(task) = self.tasks.last_mut() {
            task.every_replica = every_replica;
        }
    }
}

impl fmt::Debug for AddedTask<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.tasks.last().map(|task| &task.name);
        formatter.debug_tuple("AddedTask").field(&name).finish()
    }
}

/// Runs all tasks until `ending` is canceled or a task fails, which cancels it. With an elector, most of them run only
/// while this replica is the leader. After that, they have the time `grace` to end.
pub(super) async fn operate(
    tasks: Vec<Task>,
    elector: Option<Elector>,
    grace: Duration,
    ending: &CancellationToken,
) -> Result<(), ManagerError> {
    let Some(elector) = elector else {
        return without_lease(tasks, grace, ending).await;
    };
    let (everywhere, leading) = tasks.into_iter().partition(|task| task.every_replica);
    let lead = async {
        let result = with_lease(leading, elector, grace, ending).await;
        // A replica that has lost the lease ends.
        ending.cancel();
        result
    };
    let (lead, everywhere) = tokio::join!(lead, without_lease(everywhere, grace, ending));
    match (lead, everywhere) {
        // Both have the same reason to be late.
        (Err(ManagerError::TimedOut { .. }), Err(reason)) => Err(reason),
        (lead, everywhere) => lead.and(everywhere),
    }
}

async fn with_lease(
    tasks: Vec<Task>,
    elector: Elector,
    grace: Duration,
    ending: &CancellationToken,
) -> Result<(), ManagerError> {
    let mut work = Work::new(grace, ending);
    let outcome = elector
        .lead(ending.cancelled(), async |_| work.run(tasks).await)
        .await;
    work.end(outcome)
}

async fn without_lease(
    tasks: Vec<Task>,
    grace: Duration,
    ending: &CancellationToken,
) -> Result<(), ManagerError> {
    let mut work = Work::new(grace, ending);
    let patience = async {
        ending.cancelled().await;
        tokio::time::sleep(grace + GRACE_FOR_ABORT).await;
    };
    let outcome = tokio::select! {
        result = work.run(tasks) => Outcome::Finished(result),
        () = patience => Outcome::TimedOut,
    };
    work.end(outcome)
}

struct Work {
    /// Cancelled when all tasks should end.
    ending: CancellationToken,
    grace: Duration,
    /// The first failure of a task.
    failure: Option<ManagerError>,
}

impl Work {
    fn new(grace: Duration, ending: &CancellationToken) -> Self {
        Self {
            ending: ending.clone(),
            grace,
            failure: None,
        }
    }

    /// Returns the result. A failure is the reason why the tasks ended, so it takes precedence.
    fn end(self, outcome: Outcome<Result<(), ManagerError>>) -> Result<(), ManagerError> {
        match (self.failure, outcome) {
            (_, Outcome::Lost) => Err(ManagerError::LostLease),
            (Some(failure), _) => Err(failure),
            (None, Outcome::Finished(result)) => result,
            (None, Outcome::NeverLed) => Ok(()),
            (None, Outcome::TimedOut) => Err(ManagerError::TimedOut { grace: self.grace }),
        }
    }

    /// Runs all tasks until they should end, and waits until they have. Tasks that take too long are aborted; this does not
    /// return before they are gone.
    async fn run(&mut self, tasks: Vec<Task>) -> Result<(), ManagerError> {
        // A set aborts its tasks when it is dropped: a leader that has lost its lease drops this whole function.
        let mut running = JoinSet::new();
        let mut names = BTreeMap::new();
        for task in tasks {
            let future = AssertUnwindSafe((task.start)(self.ending.clone())).catch_unwind();
            names.insert(running.spawn(future).id(), task.name);
        }
        let (ending, grace) = (self.ending.clone(), self.grace);
        let mut patience = pin!(async {
            ending.cancelled().await;
            tokio::time::sleep(grace).await;
        });
        let mut is_late = false;
        loop {
            let ended = tokio::select! {
                ended = running.join_next_with_id() => ended,
                () = &mut patience, if !is_late => {
                    is_late = true;
                    let tasks: Vec<&str> = names.values().map(String::as_str).collect();
                    tracing::error!(tasks = tasks.join(", "), "aborting tasks that did not end within {grace:?}");
                    running.abort_all();
                    continue;
                }
            };
            let Some(ended) = ended else { break };
            let (id, result) = match ended {
                Ok((id, Ok(result))) => (id, result),
                Ok((id, Err(_))) => (id, Err("the task panicked".into())),
                Err(error) if error.is_cancelled() => (error.id(), Ok(())),
                Err(error) => (error.id(), Err(error.into())),
            };
            let name = names.remove(&id).unwrap_or_default();
            if let Err(source) = result {
                self.fail(name, source);
            }
        }
        if is_late {
            return Err(ManagerError::TimedOut { grace });
        }
        if self.failure.is_none() {
            // Tasks may end early. Probes and webhooks are served until the end.
            self.ending.cancelled().await;
        }
        Ok(())
    }

    /// Remembers the first failure and lets the other tasks end.
    fn fail(&mut self, name: String, source: BoxError) {
        tracing::error!(task = name, "a task failed; stopping the others");
        self.failure.get_or_insert(ManagerError::Task { name, source });
        self.ending.cancel();
    }
}
