//! What is to be done about a Foo: a pure function from what the caches hold to a list of actions.
//!
//! Nothing in here talks to a server, knows the time or remembers anything, so every behaviour is a test of a few lines.
//! `controller` carries the actions out.

mod deployment;
mod status;

use std::sync::Arc;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::jiff::Timestamp;
use kgen_runtime::owner::{OwnerError, controller_reference, is_controlled_by};
use kgen_runtime::recorder::EventType;
use kube::ResourceExt;

use crate::api::v1alpha1::{Foo, FooStatus};

pub use self::deployment::DeploymentApply;

/// Reason of the event after something was changed.
pub const SYNCED: &str = "Synced";

/// Message of the event after something was changed.
pub const SYNCED_MESSAGE: &str = "Foo synced successfully";

/// Reason of the event when the Deployment belongs to somebody else.
pub const RESOURCE_EXISTS: &str = "ErrResourceExists";

/// What there is, as far as the caches know.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// The Foo.
    pub foo: &'a Foo,
    /// The Deployment that the Foo names, whoever it belongs to.
    pub deployment: Option<&'a Deployment>,
    /// Every Deployment that states this Foo as an owner.
    pub owned: &'a [Arc<Deployment>],
    /// The time of day, for the conditions.
    pub now: Timestamp,
}

/// One step. They are carried out in their order, and the first that fails ends the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Create this Deployment. One that is there already must not be touched.
    Create(Box<Deployment>),
    /// Bring the Deployment back to what the Foo says, by server-side apply.
    Apply(Box<DeploymentApply>),
    /// Delete a Deployment that the Foo no longer names.
    Delete {
        /// Its name.
        name: String,
        /// Its UID: another Deployment of that name must stay.
        uid: Option<String>,
    },
    /// Write our part of the status of the Foo.
    WriteStatus(FooStatus),
    /// Tell people.
    Tell {
        /// Good news or not.
        event_type: EventType,
        /// The reason, one word.
        reason: &'static str,
        /// The message.
        message: String,
    },
    /// Give up for now, and try again later.
    Fail(Failure),
}

/// Why a Foo cannot be brought in line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The Deployment is not controlled by this Foo.
    #[error("Resource {name:?} already exists and is not managed by Foo")]
    NotOurs {
        /// Name of the Deployment.
        name: String,
    },
    /// The Foo did not come from a server.
    #[error(transparent)]
    NotStored(#[from] OwnerError),
}

/// What is to be done. Nothing to do is an empty list.
#[must_use]
pub fn reconcile(observed: Observed<'_>) -> Vec<Action> {
    let foo = observed.foo;
    if foo.metadata.deletion_timestamp.is_some() {
        // The garbage collector takes the Deployment away; whoever made a new one would work against it.
        return Vec::new();
    }
    if foo.spec.deployment_name.is_empty() {
        // Only a change of the Foo can help, and that leads here again.
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
        // On its way out: its end will be an event, and then there is a new one to make.
        Some(found) if found.metadata.deletion_timestamp.is_some() => {}
        Some(found) if deployment::has_drifted(found, foo) => {
            actions.push(Action::Apply(Box::new(DeploymentApply::new(found, foo, owner))));
        }
        Some(_) => {}
    }
    actions.extend(left_behind(observed));
    // A write whose answer was lost has done its work, and nobody has told of it yet.
    let is_untold =
        foo.status.as_ref().and_then(|status| status.observed_generation) != foo.metadata.generation;
    // That pods come and go is in the status, and no news of ours.
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

/// Returns the Deployments of names that the Foo had before.
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

/// Says so to people, if they can do something about it, and gives up for now.
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
