//! Acquires, renews and releases the Lease object.

use std::future::{Future, ready};
use std::pin::Pin;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use kube::Api;
use kube::api::PostParams;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

use super::config::{Builder, JITTER};
use super::status::Status;
use crate::Causes;
use crate::metrics::ElectionMetrics;
use crate::random::jittered;
use crate::retry::{is_conflict, status_of};

/// The lease as this replica sees it.
pub(super) struct Lock {
    pub(super) config: Builder,
    pub(super) metrics: Option<ElectionMetrics>,
    pub(super) status: Status,
    api: Api<Lease>,
    observed: Option<Observed>,
}

struct Observed {
    lease: Lease,
    /// The time when this replica first saw the current record, by its own clock.
    since: Instant,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Held {
    ByUs,
    ByAnother,
}

impl Lock {
    pub(super) fn new(config: Builder) -> Self {
        Self {
            api: Api::namespaced(config.client.clone(), &config.namespace),
            metrics: config
                .metrics
                .as_ref()
                .map(|metrics| metrics.election(&config.name)),
            status: Status::new(config.lease_duration),
            observed: None,
            config,
        }
    }

    /// Returns the lease as it was last seen, for events about it.
    pub(super) fn lease(&self) -> Option<&Lease> {
        self.observed.as_ref().map(|observed| &observed.lease)
    }

    /// Tries to acquire the lease until it succeeds, and returns when the successful attempt started. Returns `None` if
    /// `stop` ends first.
    ///
    /// A running attempt is finished first, because an acquired lease that is not released blocks the other replicas.
    pub(super) async fn acquire(&mut self, mut stop: Pin<&mut impl Future<Output = ()>>) -> Option<Instant> {
        let mut wait = Duration::ZERO;
        loop {
            tokio::select! {
                biased;
                () = stop.as_mut() => return None,
                () = sleep(wait) => {}
            }
            let started = Instant::now();
            match timeout(self.patience(), self.attempt()).await {
                Ok(Ok(Held::ByUs)) => {
                    let stopped = tokio::select! {
                        biased;
                        () = stop.as_mut() => true,
                        () = ready(()) => false,
                    };
                    if !stopped {
                        return Some(started);
                    }
                    self.release().await;
                    return None;
                }
                Ok(Ok(Held::ByAnother)) => {}
                Ok(Err(error)) => {
                    let error = Causes(&error);
                    tracing::warn!(lease = self.config.name, %error, "cannot acquire the lease");
                }
                Err(_) => tracing::warn!(lease = self.config.name, "cannot acquire the lease: timeout"),
            }
            wait = jittered(self.config.retry_period, JITTER);
        }
    }

    /// Renews the lease until it is lost. `renewed` is the start of the last successful attempt.
    pub(super) async fn renew(&mut self, mut renewed: Instant) {
        loop {
            let deadline = renewed + self.config.renew_deadline;
            sleep_until(deadline.min(Instant::now() + self.config.retry_period)).await;
            let started = Instant::now();
            if started >= deadline {
                tracing::error!(lease = self.config.name, "the lease could not be renewed in time");
                return;
            }
            match timeout_at(deadline.min(started + self.patience()), self.attempt()).await {
                Ok(Ok(Held::ByUs)) => renewed = started,
                Ok(Ok(Held::ByAnother)) if !self.is_ours() => {
                    tracing::error!(
                        lease = self.config.name,
                        leader = self.holder(),
                        "another replica has taken the lease"
                    );
                    return;
                }
                // The lease has changed since it was read. The next attempt reads it again.
                Ok(Ok(Held::ByAnother)) => {}
                Ok(Err(error)) => {
                    let error = Causes(&error);
                    tracing::warn!(lease = self.config.name, %error, "cannot renew the lease");
                }
                Err(_) => tracing::warn!(lease = self.config.name, "cannot renew the lease: timeout"),
            }
        }
    }

    /// Releases the lease if this replica holds it.
    pub(super) async fn release(&mut self) {
        match timeout(self.patience(), self.try_release()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                let error = Causes(&error);
                tracing::warn!(
                    lease = self.config.name,
                    %error,
                    "cannot release the lease; it will expire"
                );
            }
            Err(_) => tracing::warn!(
                lease = self.config.name,
                "cannot release the lease; it will expire"
            ),
        }
    }

    async fn try_release(&mut self) -> Result<(), kube::Error> {
        loop {
            let Some(lease) = self.lease().filter(|_| self.is_ours()) else {
                return Ok(());
            };
            let now = MicroTime(self.config.clock.now());
            let mut released = lease.clone();
            let spec = released.spec.get_or_insert_default();
            // Absent, because the API refuses an empty name. A second is the shortest duration that it accepts.
            spec.holder_identity = None;
            spec.lease_duration_seconds = Some(1);
            spec.acquire_time = Some(now.clone());
            spec.renew_time = Some(now);
            match self
                .api
                .replace(&self.config.name, &PostParams::default(), &released)
                .await
            {
                Ok(lease) => {
                    self.observe(lease);
                    return Ok(());
                }
                // A renewal was canceled after the server had stored it, or the lease got a label.
                Err(error) if is_conflict(&error) => match self.api.get_opt(&self.config.name).await? {
                    Some(lease) => self.observe(lease),
                    None => return Ok(()),
                },
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the timeout of an attempt, which leaves time for another attempt before the deadline.
    fn patience(&self) -> Duration {
        self.config.renew_deadline / 2
    }

    async fn attempt(&mut self) -> Result<Held, kube::Error> {
        let held_before = self.is_ours();
        if held_before && !self.is_expired() {
            // Others rarely write the lease of a leader, so it is usually not read first.
            match self.write_ours().await {
                Ok(()) => return Ok(Held::ByUs),
                Err(error) => {
                    tracing::debug!(lease = self.config.name, %error, "reading the lease before renewing it");
                    if let Some(metrics) = &self.metrics {
                        metrics.slow_path.inc();
                    }
                }
            }
        }
        let Some(lease) = self.api.get_opt(&self.config.name).await? else {
            return self.create().await;
        };
        self.observe(lease);
        // A replica that has lost the lease must not take it again: the work was not stopped in between.
        let may_write = self.is_ours() || (!held_before && (self.holder().is_none() || self.is_expired()));
        if !may_write {
            return Ok(Held::ByAnother);
        }
        match self.write_ours().await {
            Ok(()) => Ok(Held::ByUs),
            // Another replica was faster. The next attempt reads the new holder.
            Err(error) if is_conflict(&error) => Ok(Held::ByAnother),
            Err(error) => Err(error),
        }
    }

    async fn create(&mut self) -> Result<Held, kube::Error> {
        let lease = Lease {
            metadata: ObjectMeta {
                name: Some(self.config.name.clone()),
                namespace: Some(self.config.namespace.clone()),
                ..ObjectMeta::default()
            },
            spec: Some(self.next_spec(&LeaseSpec::default(), 0)),
        };
        match self.api.create(&PostParams::default(), &lease).await {
            Ok(lease) => {
                self.observe(lease);
                Ok(Held::ByUs)
            }
            Err(error) if status_of(&error).is_some_and(|status| status.code == 409) => Ok(Held::ByAnother),
            Err(error) => Err(error),
        }
    }

    /// Writes the observed lease with this replica as the holder. Fails if it has changed since.
    async fn write_ours(&mut self) -> Result<(), kube::Error> {
        let mut lease = self.lease().cloned().unwrap_or_default();
        let spec = lease.spec.unwrap_or_default();
        let transitions = spec.lease_transitions.unwrap_or_default();
        let takeover = i32::from(!self.is_ours());
        lease.spec = Some(self.next_spec(&spec, transitions.saturating_add(takeover)));
        let written = self
            .api
            .replace(&self.config.name, &PostParams::default(), &lease)
            .await?;
        self.observe(written);
        Ok(())
    }

    /// Returns the record with this replica as the holder, renewed now. Other fields do not change.
    fn next_spec(&self, current: &LeaseSpec, transitions: i32) -> LeaseSpec {
        let now = MicroTime(self.config.clock.now());
        let acquired = current.acquire_time.clone().filter(|_| self.is_ours());
        LeaseSpec {
            holder_identity: Some(self.config.identity.clone()),
            lease_duration_seconds: self.config.lease_seconds(),
            acquire_time: Some(acquired.unwrap_or_else(|| now.clone())),
            renew_time: Some(now),
            lease_transitions: Some(transitions),
            ..current.clone()
        }
    }

    fn observe(&mut self, lease: Lease) {
        let now = Instant::now();
        match &mut self.observed {
            // The same record, perhaps with other labels: its age does not change.
            Some(observed) if observed.lease.spec == lease.spec => observed.lease = lease,
            observed => *observed = Some(Observed { lease, since: now }),
        }
        if let Some(observed) = self.observed.as_ref().filter(|_| self.is_ours()) {
            self.status.set_renewed(observed.since);
        }
        let holder = self.holder();
        if self.status.set_leader(holder) {
            tracing::info!(lease = self.config.name, leader = holder, "leader");
            if let Some(callback) = &self.config.on_new_leader {
                callback(holder);
            }
        }
    }

    fn holder(&self) -> Option<&str> {
        let holder = self.lease()?.spec.as_ref()?.holder_identity.as_deref();
        holder.filter(|holder| !holder.is_empty())
    }

    fn is_ours(&self) -> bool {
        self.holder() == Some(&self.config.identity)
    }

    /// Returns whether the record has not changed for the lease duration, by the clock of this replica.
    fn is_expired(&self) -> bool {
        let Some(observed) = &self.observed else {
            return false;
        };
        let seconds = observed
            .lease
            .spec
            .as_ref()
            .and_then(|spec| spec.lease_duration_seconds);
        let duration = match seconds {
            Some(seconds) => Duration::from_secs(u64::try_from(seconds).unwrap_or_default()),
            None => self.config.lease_duration,
        };
        observed.since.elapsed() >= duration
    }
}
