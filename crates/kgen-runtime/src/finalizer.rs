//! Finalizers: cleanup before an object is deleted.
//!
//! The API server only marks a deleted object that has finalizers, and removes it after its last finalizer. [`finalize`]
//! handles the whole process. The other functions only change an object in memory.

use std::error::Error;
use std::fmt::Debug;
use std::future::Future;
use std::sync::Arc;

use kube::api::{GetParams, Patch, PatchParams, Request};
use kube::{Api, Resource, ResourceExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use thiserror::Error as ThisError;

use crate::client::transport;
use crate::retry::{Backoff, retry_on_conflict};

/// An error of [`finalize`].
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum FinalizerError<E: Error + 'static> {
    /// [`Step::Apply`] failed.
    #[error("cannot apply")]
    Apply(#[source] E),
    /// [`Step::Cleanup`] failed. The object keeps the finalizer.
    #[error("cannot clean up")]
    Cleanup(#[source] E),
    /// The finalizer could not be added to the object.
    #[error("cannot add the finalizer")]
    Add(#[source] kube::Error),
    /// The finalizer could not be removed from the object.
    #[error("cannot remove the finalizer")]
    Remove(#[source] kube::Error),
    /// The object does not have a name, so it does not come from the API server.
    #[error("the object has no name: use the object that the API server returned")]
    MissingName,
}

/// The action that an object needs.
#[derive(Clone, Debug)]
pub enum Step<K> {
    /// The object is not being deleted and has the finalizer.
    Apply(Arc<K>),
    /// The object is being deleted: clean up. This can run more than once.
    Cleanup(Arc<K>),
}

/// Returns whether `object` has the finalizer `name`.
pub fn has_finalizer<K: Resource>(object: &K, name: &str) -> bool {
    object.finalizers().iter().any(|finalizer| finalizer == name)
}

/// Adds the finalizer `name` to `object` in memory. Returns `false` if the object already has it.
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kgen_runtime::finalizer::{add_finalizer, has_finalizer, remove_finalizer};
///
/// let mut object = ConfigMap::default();
/// assert!(add_finalizer(&mut object, "example.com/cleanup"));
/// assert!(!add_finalizer(&mut object, "example.com/cleanup"));
/// assert!(has_finalizer(&object, "example.com/cleanup"));
/// assert!(remove_finalizer(&mut object, "example.com/cleanup"));
/// assert_eq!(object.metadata.finalizers, None);
/// ```
pub fn add_finalizer<K: Resource>(object: &mut K, name: &str) -> bool {
    if has_finalizer(object, name) {
        return false;
    }
    object.finalizers_mut().push(name.to_owned());
    true
}

/// Removes the finalizer `name` from `object` in memory. Returns `false` if the object does not have it.
pub fn remove_finalizer<K: Resource>(object: &mut K, name: &str) -> bool {
    if !has_finalizer(object, name) {
        return false;
    }
    object.finalizers_mut().retain(|finalizer| finalizer != name);
    if object.finalizers().is_empty() {
        object.meta_mut().finalizers = None;
    }
    true
}

/// Reconciles `object` with the finalizer `name`.
///
/// If the object is not being deleted, this function adds the finalizer and then calls `reconcile` with [`Step::Apply`].
/// So `reconcile` runs only after the finalizer is stored. If the object is being deleted, this function calls `reconcile`
/// with [`Step::Cleanup`], and removes the finalizer if that succeeds. Returns `None` if the object is being deleted and
/// does not have the finalizer.
///
/// Other finalizers do not change. If the object has changed since it was read, the function reads it again and retries.
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kgen_runtime::finalizer::{FinalizerError, Step, finalize};
/// use kgen_runtime::manager::{Next, ObjectKey, Reconciler};
/// use kgen_runtime::{Error, Lister};
/// # use std::sync::Arc;
///
/// struct Cleaner {
///     api: kube::Api<ConfigMap>,
///     maps: Lister<ConfigMap>,
/// }
///
/// impl Cleaner {
///     async fn create_dependents(&self, map: &ConfigMap) -> Result<(), Error> { Ok(()) }
///     async fn delete_dependents(&self, map: &ConfigMap) -> Result<(), Error> { Ok(()) }
/// }
///
/// impl Reconciler for Cleaner {
///     type Error = FinalizerError<Error>;
///
///     async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
///         let map = match self.maps.get(key.namespace.as_deref(), &key.name) {
///             Ok(map) => map,
///             Err(error) if error.is_not_found() => return Ok(Next::AwaitChange),
///             Err(error) => return Err(FinalizerError::Apply(error)),
///         };
///         finalize(&self.api, "example.com/cleanup", map, |step| async {
///             match step {
///                 Step::Apply(map) => self.create_dependents(&map).await,
///                 Step::Cleanup(map) => self.delete_dependents(&map).await,
///             }
///         })
///         .await?;
///         Ok(Next::AwaitChange)
///     }
/// }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// # // A server that accepts every patch.
/// # let client = kube::Client::new(tower::service_fn(async |request: http::Request<kube::client::Body>| {
/// #     use http_body_util::BodyExt;
/// #     let body = request.into_body().collect().await?.to_bytes();
/// #     Ok::<_, kube::Error>(http::Response::new(kube::client::Body::from(body)))
/// # }), "default");
/// # let mut feed = kgen_runtime::informer::Feed::new("configmaps");
/// # let mut map = ConfigMap::default();
/// # map.metadata.name = Some("settings".into());
/// # feed.apply(kube::runtime::watcher::Event::Apply(map));
/// # let cleaner = Cleaner { api: kube::Api::namespaced(client, "default"), maps: feed.lister() };
/// # cleaner.reconcile(&ObjectKey { namespace: None, name: "settings".into() }).await?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn finalize<K, T, E, F>(
    api: &Api<K>,
    name: &str,
    object: Arc<K>,
    reconcile: impl FnOnce(Step<K>) -> F,
) -> Result<Option<T>, FinalizerError<E>>
where
    F: Future<Output = Result<T, E>>,
    K: Resource + Clone + Debug + DeserializeOwned + Serialize,
    E: Error + 'static,
{
    if object.meta().name.is_none() {
        return Err(FinalizerError::MissingName);
    }
    match (
        object.meta().deletion_timestamp.is_some(),
        has_finalizer(&*object, name),
    ) {
        (false, true) => reconcile(Step::Apply(object))
            .await
            .map(Some)
            .map_err(FinalizerError::Apply),
        (false, false) => {
            let stored = change(api, &object, |object| add_finalizer(object, name)).await;
            match stored.map_err(FinalizerError::Add)? {
                Some(stored) => reconcile(Step::Apply(Arc::new(stored)))
                    .await
                    .map(Some)
                    .map_err(FinalizerError::Apply),
                // The object was deleted meanwhile. The watch will report it.
                None => Ok(None),
            }
        }
        (true, true) => {
            let result = reconcile(Step::Cleanup(Arc::clone(&object)))
                .await
                .map_err(FinalizerError::Cleanup)?;
            change(api, &object, |object| remove_finalizer(object, name))
                .await
                .map_err(FinalizerError::Remove)?;
            Ok(Some(result))
        }
        (true, false) => Ok(None),
    }
}

/// Changes the finalizers of the stored object, and keeps the changes of others. Returns `None` if the object was deleted
/// or replaced by another one of the same name, or if it cannot get a finalizer because it is being deleted.
async fn change<K>(api: &Api<K>, known: &K, change: impl Fn(&mut K) -> bool) -> Result<Option<K>, kube::Error>
where
    K: Resource + Clone + Debug + DeserializeOwned + Serialize,
{
    let mut latest = Some(known.clone());
    retry_on_conflict(Backoff::CONFLICT, || {
        try_change(api, known, latest.take(), &change)
    })
    .await
}

/// Makes one attempt, with `latest` or with the object on the server.
async fn try_change<K>(
    api: &Api<K>,
    known: &K,
    latest: Option<K>,
    change: impl Fn(&mut K) -> bool,
) -> Result<Option<K>, kube::Error>
where
    K: Resource + Clone + Debug + DeserializeOwned + Serialize,
{
    let name = known.name_any();
    let mut object = match latest {
        Some(object) => object,
        None => {
            let request = Request::new(api.resource_url()).get(&name, &GetParams::default());
            match transport::request_opt(&api.clone().into_client(), request).await? {
                Some(object) => object,
                None => return Ok(None),
            }
        }
    };
    let is_going = object.meta().deletion_timestamp.is_some();
    let was_going = known.meta().deletion_timestamp.is_some();
    if object.meta().uid != known.meta().uid || is_going != was_going {
        return Ok(None);
    }
    if !change(&mut object) {
        return Ok(Some(object));
    }
    // With the resource version, a concurrent change of the list is a conflict.
    let patch = json!({ "metadata": {
        "resourceVersion": object.meta().resource_version,
        "uid": object.meta().uid,
        "finalizers": object.meta().finalizers,
    }});
    let patch = Patch::Merge(patch);
    let request = Request::new(api.resource_url()).patch(&name, &PatchParams::default(), &patch);
    // `None` if the object was deleted.
    transport::request_opt(&api.clone().into_client(), request).await
}
