//! Performs actions one after the other.

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

/// The reason why a Memcached could not be reconciled.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// A write failed, or the server rejected it.
    #[error("cannot {what}: {error}")]
    Write {
        /// The action.
        what: &'static str,
        /// The reason.
        error: kube::Error,
    },
    /// The Memcached does not come from a server.
    #[error(transparent)]
    NotStored(#[from] OwnerError),
    /// The cache cannot be read.
    #[error(transparent)]
    Cache(kgen_runtime::Error),
}

impl SyncError {
    /// Returns whether the cache was out of date, so that a retry will succeed.
    #[must_use]
    pub fn is_stale_cache(&self) -> bool {
        matches!(self, Self::Write { error: kube::Error::Api(status), .. } if status.is_conflict())
    }
}

impl Context {
    /// Performs `actions` until one fails.
    // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create;patch;delete
    // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=patch
    // Adding and removing the finalizer needs `patch`, and `get` after a conflict.
    // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;patch
    // Owner references with `blockOwnerDeletion` need this if the admission plugin OwnerReferencesPermissionEnforcement is
    // enabled.
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
                        // The Memcached is being deleted, so the remaining actions are dropped. The watch will report it.
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

/// Adds the finalizer to a Memcached, or removes it if the Memcached is being deleted, and retries after conflicts. Returns
/// `None` if there is nothing left to do.
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

/// Deletes the Deployment with this UID after its pods. It is not an error if it does not exist.
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

/// Returns the status as an apply configuration. The UID prevents writes to another Memcached of the same name.
fn status_of(memcached: &Memcached, status: &MemcachedStatus) -> Value {
    json!({
        "apiVersion": Memcached::api_version(&()),
        "kind": Memcached::kind(&()),
        "metadata": { "name": memcached.name_any(), "uid": memcached.uid() },
        "status": status,
    })
}
