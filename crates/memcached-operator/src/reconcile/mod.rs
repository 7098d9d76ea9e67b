//! Decides which actions a Memcached needs: a pure function from the observed state to a list of actions.
//!
//! It does not send requests, does not read the clock and is stateless, so its tests are short. `controller` performs
//! the actions.

mod deployment;
mod status;

use std::sync::Arc;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::jiff::Timestamp;
use kgen_runtime::finalizer::has_finalizer;
use kgen_runtime::owner::{OwnerError, controller_reference, is_controlled_by};
use kgen_runtime::recorder::EventType;
use kube::ResourceExt;

use self::status::Trouble;
use crate::api::v1alpha1::{Memcached, MemcachedStatus};

pub use self::deployment::{INSTANCE_LABEL, POD_SELECTOR};

/// The finalizer, which keeps a Memcached until its servers have ended.
pub const FINALIZER: &str = "cache.example.com/finalizer";

/// The observed state, from the caches.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// The Memcached.
    pub memcached: &'a Memcached,
    /// The Deployment of the same name, which can have another owner.
    pub deployment: Option<&'a Deployment>,
    /// Its pods, including those that are terminating.
    pub pods: &'a [Arc<Pod>],
    /// The image of the servers.
    pub image: &'a str,
    /// The current time, for the conditions.
    pub now: Timestamp,
}

/// An action. Actions are performed in order until one fails.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Add the finalizer to the Memcached. If it is being deleted meanwhile, the remaining actions are dropped.
    AddFinalizer,
    /// Create this Deployment with server-side apply. A Deployment of another owner must not change.
    Create(Box<Deployment>),
    /// Restore the Deployment to this state with server-side apply.
    Repair(Box<Deployment>),
    /// Delete the Deployment after its pods.
    Delete {
        /// The UID, because another Deployment of that name must not be deleted.
        uid: Option<String>,
    },
    /// Write the operator's part of the status.
    WriteStatus(MemcachedStatus),
    /// Record an event.
    Tell {
        /// The type.
        event_type: EventType,
        /// The reason, one word.
        reason: &'static str,
        /// The message.
        message: String,
    },
    /// Remove the finalizer from the Memcached.
    RemoveFinalizer,
}

/// Returns the actions that the Memcached needs, or an empty list.
///
/// # Errors
///
/// Returns an error if the Memcached does not come from a server.
pub fn reconcile(observed: Observed<'_>) -> Result<Vec<Action>, OwnerError> {
    if observed.memcached.metadata.deletion_timestamp.is_some() {
        Ok(clean_up(observed))
    } else {
        keep(observed)
    }
}

/// Creates or restores the Deployment.
fn keep(observed: Observed<'_>) -> Result<Vec<Action>, OwnerError> {
    let memcached = observed.memcached;
    let wanted = deployment::wanted(memcached, observed.image, controller_reference(memcached)?);
    let name = memcached.name_any();
    let mut actions = Vec::new();
    if !has_finalizer(memcached, FINALIZER) {
        actions.push(Action::AddFinalizer);
    }
    let mut trouble = observed.deployment.and_then(status::trouble_of);
    match observed.deployment {
        None => {
            actions.push(Action::Create(Box::new(wanted)));
            let message = format!("Created Deployment {name:?}");
            actions.push(tell("Created", message));
        }
        Some(found) if !is_controlled_by(found, memcached) => trouble = Some(Trouble::name_taken(&name)),
        // The Deployment is being deleted. Its deletion triggers another reconciliation, which creates a new one.
        Some(found) if found.metadata.deletion_timestamp.is_some() => {}
        Some(found) if deployment::has_drifted(found, &wanted) => {
            let size = wanted.spec.replicas.unwrap_or_default();
            let repair = deployment::only_of(found, wanted);
            actions.push(Action::Repair(Box::new(repair)));
            let message = format!("Changed Deployment {name:?} to {size} servers as described");
            actions.push(tell("Updated", message));
        }
        Some(_) => {}
    }
    actions.extend(tell_status(observed, trouble));
    Ok(actions)
}

/// Deletes the Deployment, waits until the last pod has ended, and removes the finalizer.
fn clean_up(observed: Observed<'_>) -> Vec<Action> {
    let memcached = observed.memcached;
    if !has_finalizer(memcached, FINALIZER) {
        return Vec::new();
    }
    let ours = observed
        .deployment
        .filter(|found| is_controlled_by(*found, memcached));
    let mut actions = Vec::new();
    match ours {
        None if observed.pods.is_empty() => {
            actions.push(Action::RemoveFinalizer);
            actions.push(tell("Deleted", "All servers have ended".to_owned()));
            return actions;
        }
        Some(found) if found.metadata.deletion_timestamp.is_none() => {
            actions.push(Action::Delete { uid: found.uid() });
            let name = found.name_any();
            let message = format!("Deleting Deployment {name:?} and waiting for its servers to end");
            actions.push(tell("Deleting", message));
        }
        _ => {}
    }
    actions.extend(tell_status(observed, Some(Trouble::finalizing())));
    actions
}

/// Writes the status if it has changed, and records an event for a new problem.
fn tell_status(observed: Observed<'_>, trouble: Option<Trouble>) -> Vec<Action> {
    let Some(status) = status::changed(observed, trouble.as_ref()) else {
        return Vec::new();
    };
    let warning = trouble
        .filter(|trouble| trouble.needs_somebody && !trouble.was_told(observed.memcached))
        .map(|trouble| Action::Tell {
            event_type: EventType::Warning,
            reason: trouble.reason,
            message: trouble.message,
        });
    warning.into_iter().chain([Action::WriteStatus(status)]).collect()
}

fn tell(reason: &'static str, message: String) -> Action {
    Action::Tell {
        event_type: EventType::Normal,
        reason,
        message,
    }
}
