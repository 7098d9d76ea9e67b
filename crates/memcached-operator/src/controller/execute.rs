//! Carrying out what was decided, one action after the other.

use std::convert::Infallible;
use std::sync::Arc;

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::finalizer::{FinalizerError, Step, finalize};
use kgen_runtime::owner::OwnerError;
use kube::api::{DeleteParams, Patch, PatchParams, Preconditions, PropagationPolicy};
use kube::{Api, Resource, ResourceExt};
use serde_json::{Value, json};

use super::{Context, NAME};
use crate::api::v1alpha1::{Memcached, MemcachedStatus};
use crate::reconcile::{Action, FINALIZER};

/// Why a Memcached could not be brought in line.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The server refused a write, or could not be reached.
    #[error("cannot {what}: {error}")]
    Write {
        /// What was to be done.
        what: &'static str,
        /// Why it was not.
        error: kube::Error,
    },
    /// The Memcached did not come from a server.
    #[error(transparent)]
    NotStored(#[from] OwnerError),
    /// The cache cannot be read.
    #[error(transparent)]
    Cache(kgen_runtime::Error),
}

impl SyncError {
    /// Returns whether the cache did not show yet what the server has; it will, and another try helps.
    #[must_use]
    pub fn is_stale_cache(&self) -> bool {
        matches!(self, Self::Write { error: kube::Error::Api(status), .. } if status.is_conflict())
    }
}

impl Context {
    /// Carries out `actions` until one fails.
    // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create;patch;delete
    // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=patch
    // The finalizer is put on and taken off; after a conflict the Memcached is read again.
    // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;patch
    // Owner references that block the deletion of the Memcached need this, where the admission plugin
    // OwnerReferencesPermissionEnforcement is on.
    // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
    pub(super) async fn carry_out(
        &self,
        memcached: &Arc<Memcached>,
        actions: Vec<Action>,
    ) -> Result<(), SyncError> {
        let namespace = memcached.namespace().unwrap_or_default();
        let name = memcached.name_any();
        let memcacheds = Api::<Memcached>::namespaced(self.client.clone(), &namespace);
        let deployments = Api::<Deployment>::namespaced(self.client.clone(), &namespace);
        let ours = PatchParams::apply(NAME);
        let forced = ours.clone().force();
        for action in actions {
            let (what, result) = match action {
                Action::AddFinalizer => {
                    let what = "add the finalizer";
                    match settle_finalizer(&memcacheds, memcached).await {
                        Ok(Some(stored)) => {
                            self.own_writes.remember(&stored);
                            (what, Ok(()))
                        }
                        // Gone, or going by now: the watch will tell, and nothing may be made for it any more.
                        Ok(None) => return Ok(()),
                        Err(error) => (what, Err(error)),
                    }
                }
                Action::Create(deployment) => (
                    "create the Deployment",
                    deployments
                        .patch(&name, &ours, &Patch::Apply(&*deployment))
                        .await
                        .map(drop),
                ),
                Action::Repair(deployment) => (
                    "change the Deployment",
                    deployments
                        .patch(&name, &forced, &Patch::Apply(&*deployment))
                        .await
                        .map(drop),
                ),
                Action::Delete { uid } => ("delete the Deployment", delete(&deployments, &name, uid).await),
                Action::WriteStatus(status) => (
                    "write the status",
                    memcacheds
                        .patch_status(&name, &forced, &Patch::Apply(status_of(memcached, &status)))
                        .await
                        .map(|stored| self.own_writes.remember(&stored)),
                ),
                Action::RemoveFinalizer => (
                    "remove the finalizer",
                    settle_finalizer(&memcacheds, memcached)
                        .await
                        .map(|_| self.own_writes.forget(&namespace, &name)),
                ),
                Action::Tell {
                    event_type,
                    reason,
                    message,
                } => {
                    self.recorder.event(&**memcached, event_type, reason, message);
                    continue;
                }
            };
            match result {
                Ok(()) => tracing::info!(namespace, memcached = name, "did {what}"),
                Err(error) => return Err(SyncError::Write { what, error }),
            }
        }
        Ok(())
    }
}

/// Puts the finalizer on a Memcached that lives and takes it off one that is being deleted, whatever others do meanwhile. `None`
/// if there was nothing to do any more.
async fn settle_finalizer(
    memcacheds: &Api<Memcached>,
    memcached: &Arc<Memcached>,
) -> Result<Option<Arc<Memcached>>, kube::Error> {
    let known = Arc::clone(memcached);
    let settled = finalize(memcacheds, FINALIZER, known, async |step| match step {
        Step::Apply(stored) | Step::Cleanup(stored) => Ok::<_, Infallible>(stored),
    });
    match settled.await {
        Ok(stored) => Ok(stored),
        Err(FinalizerError::Add(error) | FinalizerError::Remove(error)) => Err(error),
        // Objects of a cache have names, and the step above cannot fail.
        Err(_) => Ok(None),
    }
}

/// Deletes that very Deployment, which then goes after its pods. One that is gone already is just as well.
async fn delete(deployments: &Api<Deployment>, name: &str, uid: Option<String>) -> Result<(), kube::Error> {
    let params = DeleteParams {
        propagation_policy: Some(PropagationPolicy::Foreground),
        preconditions: Some(Preconditions {
            uid,
            resource_version: None,
        }),
        ..DeleteParams::default()
    };
    match deployments.delete(name, &params).await {
        Err(kube::Error::Api(status)) if status.is_not_found() => Ok(()),
        result => result.map(drop),
    }
}

/// Returns the status as an apply configuration. The UID keeps it off a Memcached of the same name that was made
/// meanwhile.
fn status_of(memcached: &Memcached, status: &MemcachedStatus) -> Value {
    json!({
        "apiVersion": Memcached::api_version(&()),
        "kind": Memcached::kind(&()),
        "metadata": { "name": memcached.name_any(), "uid": memcached.uid() },
        "status": status,
    })
}
