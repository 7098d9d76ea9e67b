//! Creates an object, or changes the existing one, and writes only if something has changed.
//!
//! Prefer server-side apply ([`Handle::apply`](crate::Handle::apply)) for kinds with generated apply configurations: it
//! needs one request, no read, and leaves the fields of others alone. Use the functions of this module for built-in
//! kinds, which do not have apply configurations, and for changes that depend on the present state.
//!
//! - [`create_or_update`] replaces the object (PUT). A field that the closure removes is removed.
//! - [`create_or_patch`] sends only the differences (PATCH), and writes the status too.

mod difference;

use std::fmt::{self, Debug};
use std::future::IntoFuture;

use futures::future::BoxFuture;
use kube::Resource;
use kube::api::Patch;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::difference::{merge_patch, without_status};
use crate::manager::BoxError;
use crate::retry::Backoff;
use crate::{Error, Handle, Lister, Result};

/// A kind that these functions can write.
pub trait Writable: Resource + Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {}

impl<K: Resource + Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Writable for K {}

/// The effect, with the object as the server has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Done<K> {
    /// The object did not exist.
    Created(K),
    /// The object was changed.
    Updated(K),
    /// The object already was as it should be. Nothing was written.
    Unchanged(K),
}

impl<K> Done<K> {
    /// Returns the object.
    pub fn object(&self) -> &K {
        let (Self::Created(object) | Self::Updated(object) | Self::Unchanged(object)) = self;
        object
    }

    /// Returns the object by value.
    pub fn into_object(self) -> K {
        let (Self::Created(object) | Self::Updated(object) | Self::Unchanged(object)) = self;
        object
    }
}

/// Lets `change` edit the object `name`, and replaces the object on the server if its JSON has changed. If the object does not
/// exist, creates it from the default value.
///
/// It retries after a conflict, and if another client creates or deletes the object first, so `change` can be called more than
/// once. `change` must not change the name or the namespace.
///
/// The server ignores the status if it is a subresource; see [`create_or_patch`].
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kgen_runtime::create_or_update::{Done, create_or_update};
/// use kgen_runtime::manager::{Next, ObjectKey, Reconciler};
/// use kgen_runtime::{Connection, Error, Handle, Lister};
///
/// struct Settings {
///     connection: Connection,
///     maps: Lister<ConfigMap>,
/// }
///
/// impl Reconciler for Settings {
///     type Error = Error;
///
///     async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Error> {
///         let handle = Handle::namespaced(&self.connection, key.namespace.as_deref().unwrap_or_default());
///         let done = create_or_update(&handle, &key.name, |map: &mut ConfigMap| {
///             map.data.get_or_insert_default().insert("color".to_owned(), "red".to_owned());
///             Ok(())
///         })
///         .cached(&self.maps) // reads the cache instead of the server
///         .await?;
///         if let Done::Created(_) = done {
///             println!("created {key}");
///         }
///         Ok(Next::AwaitChange)
///     }
/// }
/// ```
pub fn create_or_update<'a, K: Writable + Default>(
    handle: &'a Handle<K>,
    name: &str,
    change: impl FnMut(&mut K) -> Result<(), BoxError> + Send + 'a,
) -> CreateOrChange<'a, K> {
    CreateOrChange::new(handle, blank(handle, name), Verb::Update, change)
}

/// Like [`create_or_update`], for kinds without a default value, such as [`DynamicObject`](kube::core::DynamicObject): an
/// object that does not exist is created from `new`.
pub fn create_or_update_from<'a, K: Writable>(
    handle: &'a Handle<K>,
    new: K,
    change: impl FnMut(&mut K) -> Result<(), BoxError> + Send + 'a,
) -> CreateOrChange<'a, K> {
    CreateOrChange::new(handle, new, Verb::Update, change)
}

/// Like [`create_or_update`], but sends a merge patch of the difference, and the status separately.
///
/// Values that the server fills in are not a difference: a field of the object that is absent after `change` keeps its value on
/// the server. Neither is an empty list or object that the server does not have. So `change` can set a whole spec, and nothing is written in the next call. Only labels, annotations,
/// finalizers and owner references that `change` removes are removed. Use [`create_or_update`] to remove other fields.
///
/// ```
/// use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
/// use kgen_runtime::create_or_update::create_or_patch;
/// use kgen_runtime::manager::{Next, ObjectKey, Reconciler};
/// use kgen_runtime::{Error, Handle};
///
/// struct Scaler {
///     deployments: Handle<Deployment>,
/// }
///
/// impl Reconciler for Scaler {
///     type Error = Error;
///
///     async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Error> {
///         create_or_patch(&self.deployments, &key.name, |deployment: &mut Deployment| {
///             deployment.spec = DeploymentSpec { replicas: Some(3), ..DeploymentSpec::default() };
///             Ok(())
///         })
///         .await?;
///         Ok(Next::AwaitChange)
///     }
/// }
/// ```
pub fn create_or_patch<'a, K: Writable + Default>(
    handle: &'a Handle<K>,
    name: &str,
    change: impl FnMut(&mut K) -> Result<(), BoxError> + Send + 'a,
) -> CreateOrChange<'a, K> {
    CreateOrChange::new(handle, blank(handle, name), Verb::Patch, change)
}

/// Like [`create_or_patch`], for kinds without a default value: an object that does not exist is created from `new`.
pub fn create_or_patch_from<'a, K: Writable>(
    handle: &'a Handle<K>,
    new: K,
    change: impl FnMut(&mut K) -> Result<(), BoxError> + Send + 'a,
) -> CreateOrChange<'a, K> {
    CreateOrChange::new(handle, new, Verb::Patch, change)
}

/// Returns a new object with a name.
fn blank<K: Writable + Default>(handle: &Handle<K>, name: &str) -> K {
    let mut object = K::default();
    object.meta_mut().name = Some(name.to_owned());
    object.meta_mut().namespace = handle.namespace().map(str::to_owned);
    object
}

#[derive(Clone, Copy, Debug)]
enum Verb {
    Update,
    Patch,
}

type Change<'a, K> = Box<dyn FnMut(&mut K) -> Result<(), BoxError> + Send + 'a>;

/// The request of [`create_or_update`] and [`create_or_patch`]. Awaiting it sends it.
#[must_use = "nothing is sent until it is awaited"]
pub struct CreateOrChange<'a, K> {
    target: Target<'a, K>,
    change: Change<'a, K>,
}

/// The object, and how to write it.
struct Target<'a, K> {
    handle: &'a Handle<K>,
    new: K,
    verb: Verb,
    cached: Option<&'a Lister<K>>,
}

impl<'a, K: Writable> CreateOrChange<'a, K> {
    fn new(
        handle: &'a Handle<K>,
        new: K,
        verb: Verb,
        change: impl FnMut(&mut K) -> Result<(), BoxError> + Send + 'a,
    ) -> Self {
        Self {
            target: Target {
                handle,
                new,
                verb,
                cached: None,
            },
            change: Box::new(change),
        }
    }

    /// Reads the object from a cache first. The server is asked only if the cache turns out to be out of date.
    pub fn cached(mut self, lister: &'a Lister<K>) -> Self {
        self.target.cached = Some(lister);
        self
    }

    async fn run(mut self) -> Result<Done<K>> {
        let mut waits = Backoff::CONFLICT.waits();
        loop {
            let failure = match self.attempt().await {
                Err(error) if is_race(&error) => error,
                done => return done,
            };
            let Some(wait) = waits.next() else {
                return Err(failure);
            };
            // The cache was out of date.
            self.target.cached = None;
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt(&mut self) -> Result<Done<K>> {
        let Some(present) = self.target.read().await? else {
            return self.create().await;
        };
        let before = to_json(&present)?;
        let after = to_json(&self.changed(&present)?)?;
        match self.target.verb {
            Verb::Update if before == after => Ok(Done::Unchanged(present)),
            Verb::Update => {
                let object = serde_json::from_value(after).map_err(Error::Serialize)?;
                Ok(Done::Updated(self.target.handle.update(&object).await?))
            }
            Verb::Patch => self.target.patch(present, &before, &after).await,
        }
    }

    async fn create(&mut self) -> Result<Done<K>> {
        let object = self.changed(&self.target.new.clone())?;
        let created = self.target.handle.create(&object).await?;
        if let Verb::Patch = self.target.verb {
            // The server ignores the status of a new object if it is a subresource.
            let (before, after) = (to_json(&created)?, to_json(&object)?);
            if let Some(with_status) = self.target.patch_status(&before, &after).await? {
                return Ok(Done::Created(with_status));
            }
        }
        Ok(Done::Created(created))
    }

    /// Returns a changed copy of `object`.
    fn changed(&mut self, object: &K) -> Result<K> {
        let mut changed = object.clone();
        (self.change)(&mut changed).map_err(Error::Change)?;
        let (before, after) = (object.meta(), changed.meta());
        if before.name != after.name || before.namespace != after.namespace {
            let full_name = |meta: &kube::core::ObjectMeta| {
                let namespace = meta.namespace.as_deref().map(|namespace| format!("{namespace}/"));
                format!(
                    "{}{}",
                    namespace.unwrap_or_default(),
                    meta.name.as_deref().unwrap_or_default()
                )
            };
            return Err(Error::Renamed {
                before: full_name(before),
                after: full_name(after),
            });
        }
        Ok(changed)
    }
}

impl<K: Writable> Target<'_, K> {
    async fn patch(&self, present: K, before: &Value, after: &Value) -> Result<Done<K>> {
        let mut patched = None;
        if let Some(patch) = merge_patch(&without_status(before), &without_status(after)) {
            patched = Some(self.handle.patch(self.name(), &Patch::Merge(patch)).await?);
        }
        if let Some(object) = self.patch_status(before, after).await? {
            patched = Some(object);
        }
        Ok(patched.map_or(Done::Unchanged(present), Done::Updated))
    }

    /// Sends the difference of the status, if there is one.
    async fn patch_status(&self, before: &Value, after: &Value) -> Result<Option<K>> {
        let Some(wanted) = after.get("status").filter(|status| !status.is_null()) else {
            return Ok(None);
        };
        let empty = Value::Object(serde_json::Map::new());
        let present = before.get("status").unwrap_or(&empty);
        let Some(patch) = merge_patch(present, wanted) else {
            return Ok(None);
        };
        let patch = Patch::Merge(serde_json::json!({ "status": patch }));
        let object = self
            .handle
            .patch_subresource(self.name(), "status", &patch)
            .await?;
        Ok(Some(object))
    }

    async fn read(&self) -> Result<Option<K>> {
        match self.cached {
            Some(lister) => match lister.get(self.handle.namespace(), self.name()) {
                Ok(object) => Ok(Some(K::clone(&object))),
                Err(error) if error.is_not_found() => Ok(None),
                Err(error) => Err(error),
            },
            None => self.handle.get_opt(self.name()).await,
        }
    }

    fn name(&self) -> &str {
        self.new.meta().name.as_deref().unwrap_or_default()
    }
}

/// Returns whether another client was faster.
fn is_race(error: &Error) -> bool {
    error.is_conflict() || error.is_already_exists() || error.is_not_found()
}

fn to_json<K: Serialize>(object: &K) -> Result<Value> {
    serde_json::to_value(object).map_err(Error::Serialize)
}

impl<'a, K: Writable> IntoFuture for CreateOrChange<'a, K> {
    type Output = Result<Done<K>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl<K> Debug for CreateOrChange<'_, K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CreateOrChange")
            .field("verb", &self.target.verb)
            .finish_non_exhaustive()
    }
}
