//! Finalizers: something of ours to do before an object may go.
//!
//! An object with a finalizer is only marked when it is deleted, and goes when the last finalizer is taken off. [`finalize`]
//! does all of it; the functions on objects are for those who write the object themselves.

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

/// Why an object could not be reconciled under a finalizer.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum FinalizerError<E: Error + 'static> {
    /// The reconcile of a living object failed.
    #[error("cannot apply")]
    Apply(#[source] E),
    /// The reconcile of an object that is being deleted failed; the finalizer stays.
    #[error("cannot clean up")]
    Cleanup(#[source] E),
    /// The finalizer could not be put on the object.
    #[error("cannot add the finalizer")]
    Add(#[source] kube::Error),
    /// The finalizer could not be taken off the object.
    #[error("cannot remove the finalizer")]
    Remove(#[source] kube::Error),
    /// The object has no name: the API server has not seen it.
    #[error("the object has no name: use the object that the API server returned")]
    MissingName,
}

/// What is to be done with an object.
#[derive(Clone, Debug)]
pub enum Step<K> {
    /// The object is wanted and has the finalizer.
    Apply(Arc<K>),
    /// The object is being deleted: undo what it caused. This may run more than once.
    Cleanup(Arc<K>),
}

/// Whether `object` has the finalizer `name`.
pub fn has_finalizer<K: Resource>(object: &K, name: &str) -> bool {
    object.finalizers().iter().any(|finalizer| finalizer == name)
}

/// Puts the finalizer `name` on `object` in memory. True if it was not there.
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

/// Takes the finalizer `name` off `object` in memory. True if it was there.
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

/// Reconciles `object` under the finalizer `name`.
///
/// A living object gets the finalizer, if it has none yet, and then `reconcile` is called with [`Step::Apply`]: nothing is done
/// outside before the finalizer is stored. An object that is being deleted is given to `reconcile` with [`Step::Cleanup`], and
/// only if that succeeds the finalizer is taken off. If it is being deleted and has not our finalizer, there is nothing to do
/// and the result is `None`.
///
/// Other finalizers are left alone. If somebody else writes the object meanwhile, it is read again and the finalizer is set
/// on what is there now.
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
///     async fn create_what_belongs_to(&self, map: &ConfigMap) -> Result<(), Error> { Ok(()) }
///     async fn delete_what_belongs_to(&self, map: &ConfigMap) -> Result<(), Error> { Ok(()) }
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
///                 Step::Apply(map) => self.create_what_belongs_to(&map).await,
///                 Step::Cleanup(map) => self.delete_what_belongs_to(&map).await,
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
                // Gone or going meanwhile; the watch will tell.
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

/// Changes the finalizers of the stored object, on top of what others did meanwhile. `None` if the object is gone, is another
/// one of the same name by now, or must not get a finalizer any more because it is being deleted.
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

/// One try of it, on `latest` or on what the server has.
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
    // The resource version turns a list that others have changed meanwhile into a conflict.
    let patch = json!({ "metadata": {
        "resourceVersion": object.meta().resource_version,
        "uid": object.meta().uid,
        "finalizers": object.meta().finalizers,
    }});
    let patch = Patch::Merge(patch);
    let request = Request::new(api.resource_url()).patch(&name, &PatchParams::default(), &patch);
    // `None` if it is gone by now.
    transport::request_opt(&api.clone().into_client(), request).await
}
