//! The settings of an election and their validation.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use thiserror::Error;

use super::elector::Elector;
use crate::clock::{Clock, SystemClock};
use crate::metrics::Metrics;
use crate::random::scaled;
use crate::recorder::Recorder;

/// The jitter of the retry period, as a share of the period.
pub(super) const JITTER: f64 = 1.2;

/// The reason why an election cannot start.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
#[non_exhaustive]
pub enum ElectionError {
    /// The settings contradict each other. All contradictions are listed.
    #[error("invalid leader election: {}", .0.join("; "))]
    Invalid(Vec<String>),
}

pub(super) type NewLeader = Arc<dyn Fn(Option<&str>) + Send + Sync>;

/// Builds an [`Elector`](super::Elector).
#[derive(Clone)]
#[must_use]
pub struct Builder {
    pub(super) client: Client,
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) identity: String,
    pub(super) lease_duration: Duration,
    pub(super) renew_deadline: Duration,
    pub(super) retry_period: Duration,
    pub(super) grace: Duration,
    pub(super) release: bool,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) metrics: Option<Metrics>,
    pub(super) recorder: Option<Recorder>,
    pub(super) on_new_leader: Option<NewLeader>,
}

impl Builder {
    pub(super) fn new(client: Client, namespace: String, name: String) -> Self {
        Self {
            client,
            namespace,
            name,
            identity: super::unique_identity(),
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
            grace: Duration::from_secs(30),
            release: true,
            clock: Arc::new(SystemClock),
            metrics: None,
            recorder: None,
            on_new_leader: None,
        }
    }

    /// Sets the identity of this replica, which must be unique. The default is [`unique_identity`](super::unique_identity).
    pub fn identity(mut self, identity: impl Into<String>) -> Self {
        self.identity = identity.into();
        self
    }

    /// Sets the time after which the others take over a lease that has not changed. The default is 15 s. Kubernetes counts
    /// whole seconds; a fraction is rounded up.
    pub fn lease_duration(mut self, duration: Duration) -> Self {
        self.lease_duration = duration;
        self
    }

    /// Sets the time after its last renewal when the leader gives up. The default is 10 s.
    pub fn renew_deadline(mut self, duration: Duration) -> Self {
        self.renew_deadline = duration;
        self
    }

    /// Sets the time between attempts. The default is 2 s.
    pub fn retry_period(mut self, duration: Duration) -> Self {
        self.retry_period = duration;
        self
    }

    /// Sets the time that work has to end when the process ends. The default is 30 s. The lease is renewed meanwhile. Work
    /// that takes longer is dropped, and the lease expires.
    pub fn grace(mut self, duration: Duration) -> Self {
        self.grace = duration;
        self
    }

    /// Does not release the lease at the end. The others wait until it expires.
    pub fn keep_lease_at_end(mut self) -> Self {
        self.release = false;
        self
    }

    /// Sets the clock for the times in the lease. No decision depends on them.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Registers the metrics `leader_election_master_status` and `leader_election_slowpath_total`.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.metrics = Some(metrics.clone());
        self
    }

    /// Records events about the lease, with the reason `LeaderElection`.
    pub fn recorder(mut self, recorder: &Recorder) -> Self {
        self.recorder = Some(recorder.clone());
        self
    }

    /// Calls `callback` with the new holder whenever the holder of the lease changes. It must not block.
    pub fn on_new_leader(mut self, callback: impl Fn(Option<&str>) + Send + Sync + 'static) -> Self {
        self.on_new_leader = Some(Arc::new(callback));
        self
    }

    /// Returns the elector, or an error if the settings are invalid.
    pub fn build(self) -> Result<Elector, ElectionError> {
        let problems = self.problems();
        if problems.is_empty() {
            Ok(Elector::new(self))
        } else {
            Err(ElectionError::Invalid(problems))
        }
    }

    fn problems(&self) -> Vec<String> {
        let (lease, renew, retry) = (self.lease_duration, self.renew_deadline, self.retry_period);
        let mut problems = Vec::new();
        for (name, value) in [
            ("namespace", &self.namespace),
            ("name", &self.name),
            ("identity", &self.identity),
        ] {
            if value.is_empty() {
                problems.push(format!("the {name} is empty"));
            }
        }
        for (name, value) in [
            ("lease duration", lease),
            ("renew deadline", renew),
            ("retry period", retry),
        ] {
            if value.is_zero() {
                problems.push(format!("the {name} is zero"));
            }
        }
        if lease <= renew {
            problems.push(format!(
                "the lease duration ({lease:?}) must be longer than the renew deadline ({renew:?})"
            ));
        }
        if renew <= scaled(retry, JITTER) {
            problems.push(format!(
                "the renew deadline ({renew:?}) must be longer than {JITTER} times the retry period ({retry:?})"
            ));
        }
        if self.lease_seconds().is_none() {
            problems.push(format!("the lease duration ({lease:?}) is too long for a Lease"));
        }
        problems
    }

    /// Returns the lease duration in whole seconds.
    pub(super) fn lease_seconds(&self) -> Option<i32> {
        let fraction = u64::from(self.lease_duration.subsec_nanos() > 0);
        i32::try_from(self.lease_duration.as_secs().checked_add(fraction)?).ok()
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Builder")
            .field("namespace", &self.namespace)
            .field("name", &self.name)
            .field("identity", &self.identity)
            .field("lease_duration", &self.lease_duration)
            .field("renew_deadline", &self.renew_deadline)
            .field("retry_period", &self.retry_period)
            .finish_non_exhaustive()
    }
}
