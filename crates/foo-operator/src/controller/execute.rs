//! Performs actions one after the other.

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::recorder::Recorder;
use kgen_runtime::{Handle, WriteOptions};
use kube::ResourceExt;
use kube::api::{DeleteParams, Preconditions};

use crate::api::v1::{Foo, FooStatus};
use crate::generated::Clientset;
use crate::generated::apply::api_v1::{FooApply, FooStatusApply};
use crate::reconcile::{Action, Failure};

/// The reason why a Foo could not be reconciled.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// A write failed, or the server rejected it.
    #[error("cannot {what}: {error}")]
    Write {
        /// The action.
        what: String,
        /// The reason.
        error: kgen_runtime::Error,
    },
    /// A cached object cannot be deserialized.
    #[error(transparent)]
    Cache(kgen_runtime::Error),
    /// The Foo has a problem that a person has to solve.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl SyncError {
    /// Returns whether the cache was out of date, so that a retry will succeed.
    #[must_use]
    pub fn is_stale_cache(&self) -> bool {
        match self {
            Self::Write { error, .. } => error.is_already_exists() || error.is_conflict(),
            Self::Cache(_) | Self::Failed(_) => false,
        }
    }
}

/// Performs `actions` until one fails. Returns the Foo from the server if it was written.
///
/// # Errors
///
/// Returns an error if a write fails, or if a person has to solve a problem first.
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create;patch;delete
// +kubebuilder:rbac:groups=example.com,resources=foos/status,verbs=patch
// Owner references with `blockOwnerDeletion` need this if the admission plugin OwnerReferencesPermissionEnforcement is
// enabled.
// +kubebuilder:rbac:groups=example.com,resources=foos/finalizers,verbs=update
pub async fn carry_out(
    clients: &Clientset,
    recorder: &Recorder,
    foo: &Foo,
    actions: Vec<Action>,
) -> Result<Option<Foo>, SyncError> {
    let mut written = None;
    let namespace = foo.namespace().unwrap_or_default();
    let forced = WriteOptions::new().force();
    let deployments = Handle::<Deployment>::namespaced(clients.connection(), &namespace);
    for action in actions {
        let (what, result) = match action {
            Action::Create(deployment) => (
                format!("create Deployment {:?}", deployment.name_any()),
                deployments.create(&deployment).await.map(drop),
            ),
            Action::Apply(configuration) => (
                format!("change Deployment {:?}", foo.spec.deployment_name),
                deployments
                    .with_options(forced.clone())
                    .apply(configuration.as_ref())
                    .await
                    .map(drop),
            ),
            Action::Delete { name, uid } => (
                format!("delete Deployment {name:?}"),
                delete(&deployments, &name, uid).await,
            ),
            Action::WriteStatus(status) => (
                "write the status".to_owned(),
                clients
                    .example_v1()
                    .foos(&namespace)
                    .with_options(forced.clone())
                    .apply_status(&status_of(foo, &namespace, status))
                    .await
                    .map(|foo| written = Some(foo)),
            ),
            Action::Tell {
                event_type,
                reason,
                message,
            } => {
                recorder.event(foo, event_type, reason, message);
                continue;
            }
            Action::Fail(failure) => return Err(failure.into()),
        };
        match result {
            Ok(()) => tracing::info!(namespace, foo = foo.name_any(), "did {what}"),
            Err(error) => return Err(SyncError::Write { what, error }),
        }
    }
    Ok(written)
}

/// Deletes the Deployment with this UID. It is not an error if it does not exist.
async fn delete(
    deployments: &Handle<Deployment>,
    name: &str,
    uid: Option<String>,
) -> kgen_runtime::Result<()> {
    let params = DeleteParams {
        preconditions: Some(Preconditions {
            uid,
            resource_version: None,
        }),
        ..DeleteParams::background()
    };
    match deployments.delete(name, &params).await {
        Err(error) if error.is_not_found() => Ok(()),
        result => result,
    }
}

/// Returns the status as an apply configuration. The UID prevents writes to another Foo of the same name.
fn status_of(foo: &Foo, namespace: &str, status: FooStatus) -> FooApply {
    let mut wanted = FooStatusApply::default()
        .available_replicas(status.available_replicas)
        .conditions(status.conditions);
    wanted.observed_generation = status.observed_generation;
    let mut configuration = Foo::apply(foo.name_any(), namespace).status(wanted);
    configuration.metadata.uid = foo.uid();
    configuration
}
