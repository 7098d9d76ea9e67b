//! What is to be done about a Memcached: a pure function from what the caches hold to a list of actions.
//!
//! Nothing in here talks to a server, knows the time or remembers anything, so every behaviour is a test of a few lines.
//! `controller` carries the actions out.

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

/// The finalizer: a Memcached goes when its servers are gone.
pub const FINALIZER: &str = "cache.example.com/finalizer";

/// What there is, as far as the caches know.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// The Memcached.
    pub memcached: &'a Memcached,
    /// The Deployment of the same name, whoever it belongs to.
    pub deployment: Option<&'a Deployment>,
    /// Its pods, also those that are about to end.
    pub pods: &'a [Arc<Pod>],
    /// The image that the servers run.
    pub image: &'a str,
    /// The time of day, for the conditions.
    pub now: Timestamp,
}

/// One step. They are carried out in their order, and the first that fails ends the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Put our finalizer on the Memcached. If it is being deleted by now, nothing else is to be done.
    AddFinalizer,
    /// Create this Deployment by server-side apply. One of somebody else that is there already must not be touched.
    Create(Box<Deployment>),
    /// Bring the Deployment back to this by server-side apply, whoever has changed it.
    Repair(Box<Deployment>),
    /// Delete the Deployment, which goes after its pods.
    Delete {
        /// Its UID: another Deployment of that name must stay.
        uid: Option<String>,
    },
    /// Write our part of the status.
    WriteStatus(MemcachedStatus),
    /// Tell people.
    Tell {
        /// Good news or not.
        event_type: EventType,
        /// The reason, one word.
        reason: &'static str,
        /// The message.
        message: String,
    },
    /// Let the Memcached go.
    RemoveFinalizer,
}

/// What is to be done. Nothing to do is an empty list.
///
/// # Errors
///
/// The Memcached did not come from a server.
pub fn reconcile(observed: Observed<'_>) -> Result<Vec<Action>, OwnerError> {
    if observed.memcached.metadata.deletion_timestamp.is_some() {
        Ok(clean_up(observed))
    } else {
        keep(observed)
    }
}

/// Keeps the Deployment as the Memcached says.
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
        // On its way out: its end will be an event, and then there is a new one to make.
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

/// Deletes the Deployment, waits until the last pod has ended, and lets the Memcached go.
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

/// Writes the status if it has changed, and tells people of trouble that is new.
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
