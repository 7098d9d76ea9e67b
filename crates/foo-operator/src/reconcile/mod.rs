//! Decides which actions a Foo needs: a pure function from the observed state to a list of actions.
//!
//! It does not send requests, does not read the clock and is stateless, so its tests are short. `controller` performs
//! the actions.

mod deployment;
mod status;

use std::sync::Arc;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::jiff::Timestamp;
use kgen_runtime::owner::{OwnerError, controller_reference, is_controlled_by};
use kgen_runtime::recorder::EventType;
use kube::ResourceExt;

use crate::api::v1::{Foo, FooStatus};

pub use self::deployment::DeploymentApply;

/// The reason of the event after a successful change.
pub const SYNCED: &str = "Synced";

/// The message of the event after a successful change.
pub const SYNCED_MESSAGE: &str = "Foo synced successfully";

/// The reason of the event if the Deployment has another owner.
pub const RESOURCE_EXISTS: &str = "ErrResourceExists";

/// The observed state, from the caches.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// The Foo.
    pub foo: &'a Foo,
    /// The Deployment with the name in the Foo, which can have another owner.
    pub deployment: Option<&'a Deployment>,
    /// Every Deployment with an owner reference to this Foo.
    pub owned: &'a [Arc<Deployment>],
    /// The current time, for the conditions.
    pub now: Timestamp,
}

/// An action. Actions are performed in order until one fails.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Create this Deployment. An existing one must not change.
    Create(Box<Deployment>),
    /// Restore the fields of the Deployment that the Foo determines, with server-side apply.
    Apply(Box<DeploymentApply>),
    /// Delete a Deployment with an earlier `deploymentName` of the Foo.
    Delete {
        /// The name.
        name: String,
        /// The UID, because another Deployment of that name must not be deleted.
        uid: Option<String>,
    },
    /// Write the operator's part of the status.
    WriteStatus(FooStatus),
    /// Record an event.
    Tell {
        /// The type.
        event_type: EventType,
        /// The reason, one word.
        reason: &'static str,
        /// The message.
        message: String,
    },
    /// Stop, and retry later.
    Fail(Failure),
}

/// The reason why a Foo cannot be reconciled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// This Foo does not control the Deployment.
    #[error("Resource {name:?} already exists and is not managed by Foo")]
    NotOurs {
        /// The name of the Deployment.
        name: String,
    },
    /// The Foo does not come from a server.
    #[error(transparent)]
    NotStored(#[from] OwnerError),
}

/// Returns the actions that the Foo needs, or an empty list.
#[must_use]
pub fn reconcile(observed: Observed<'_>) -> Vec<Action> {
    let foo = observed.foo;
    if foo.metadata.deletion_timestamp.is_some() {
        // The garbage collector deletes the Deployment, so a new one must not be created.
        return Vec::new();
    }
    if foo.spec.deployment_name.is_empty() {
        // Only a change of the Foo can solve this, and it triggers another reconciliation.
        return Vec::new();
    }
    plan(observed).unwrap_or_else(|failure| refuse(&failure))
}

fn plan(observed: Observed<'_>) -> Result<Vec<Action>, Failure> {
    let foo = observed.foo;
    let owner = controller_reference(foo)?;
    let mut actions = Vec::new();
    match observed.deployment {
        None => actions.push(Action::Create(Box::new(deployment::wanted(foo, owner)))),
        Some(found) if !is_controlled_by(found, foo) => {
            return Err(Failure::NotOurs {
                name: foo.spec.deployment_name.clone(),
            });
        }
        // The Deployment is being deleted. Its deletion triggers another reconciliation, which creates a new one.
        Some(found) if found.metadata.deletion_timestamp.is_some() => {}
        Some(found) if deployment::has_drifted(found, foo, &owner) => {
            actions.push(Action::Apply(Box::new(DeploymentApply::new(found, foo, owner))));
        }
        Some(_) => {}
    }
    actions.extend(left_behind(observed));
    // A write whose response was lost has succeeded, but its event was not recorded.
    let is_untold =
        foo.status.as_ref().and_then(|status| status.observed_generation) != foo.metadata.generation;
    // Changes of pods are in the status and do not need an event.
    if !actions.is_empty() || is_untold {
        actions.push(Action::Tell {
            event_type: EventType::Normal,
            reason: SYNCED,
            message: SYNCED_MESSAGE.to_owned(),
        });
    }
    if let Some(status) = status::changed(foo, observed.deployment, observed.now) {
        actions.push(Action::WriteStatus(status));
    }
    Ok(actions)
}

/// Returns the Deployments with earlier names of the Foo.
fn left_behind(observed: Observed<'_>) -> impl Iterator<Item = Action> {
    let foo = observed.foo;
    observed
        .owned
        .iter()
        .filter(|deployment| deployment.metadata.name.as_deref() != Some(&foo.spec.deployment_name))
        .filter(|deployment| deployment.namespace() == foo.namespace())
        .filter(|deployment| is_controlled_by(deployment.as_ref(), foo))
        .filter(|deployment| deployment.metadata.deletion_timestamp.is_none())
        .map(|deployment| Action::Delete {
            name: deployment.name_any(),
            uid: deployment.uid(),
        })
}

/// Records an event if a person can solve the problem, and stops.
fn refuse(failure: &Failure) -> Vec<Action> {
    let told = match failure {
        Failure::NotOurs { .. } => Some(Action::Tell {
            event_type: EventType::Warning,
            reason: RESOURCE_EXISTS,
            message: failure.to_string(),
        }),
        Failure::NotStored(_) => None,
    };
    told.into_iter().chain([Action::Fail(failure.clone())]).collect()
}
