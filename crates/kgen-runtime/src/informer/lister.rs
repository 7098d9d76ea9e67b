//! Reads the cache: ordered results, shared objects, and no requests.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use kube::core::{Selector, SelectorExt};
use kube::{Resource, ResourceExt};

use super::{Cache, Unreadable};
use crate::{Error, Result};

/// Reads the cache of an [`Informer`](crate::Informer). Clones are cheap and read the same cache.
///
/// Results are sorted by namespace and name. Each call sees a consistent state of the cache. Before the informer has
/// synced, the cache can be incomplete.
pub struct Lister<K> {
    cache: Arc<RwLock<Cache<K>>>,
    /// Plural and group, for errors.
    resource: Arc<str>,
}

impl<K> Clone for Lister<K> {
    fn clone(&self) -> Self {
        Self {
            cache: Arc::clone(&self.cache),
            resource: Arc::clone(&self.resource),
        }
    }
}

impl<K> fmt::Debug for Lister<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Lister")
            .field("resource", &self.resource)
            .finish_non_exhaustive()
    }
}

impl<K> Lister<K> {
    /// Returns plural and group, as in `deployments.apps`.
    pub(super) fn resource(&self) -> &str {
        &self.resource
    }
}

impl<K: Resource> Lister<K> {
    /// Creates a lister for `cache`. Errors use the name `resource` for its objects, as in `deployments.apps`.
    #[must_use]
    pub fn new(cache: Arc<RwLock<Cache<K>>>, resource: impl Into<Arc<str>>) -> Self {
        Self {
            cache,
            resource: resource.into(),
        }
    }

    /// Returns the objects that match `selector`.
    #[must_use]
    pub fn list(&self, selector: &Selector) -> Vec<Arc<K>> {
        let cache = self.read();
        if selector.selects_all() {
            let mut objects = Vec::with_capacity(cache.len());
            objects.extend(cache.iter().cloned());
            return objects;
        }
        select(cache.iter(), selector)
    }

    /// Returns the object `name`. The namespace of cluster-scoped objects is `None`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::NotFound`] if the object does not exist, or [`Error::Unreadable`] if it exists but could never
    /// be deserialized. For an object that became unreadable, it returns the last readable version.
    pub fn get(&self, namespace: Option<&str>, name: &str) -> Result<Arc<K>> {
        let cache = self.read();
        if let Some(object) = cache.get(namespace, name) {
            return Ok(Arc::clone(object));
        }
        let resource = self.resource.to_string();
        let (namespace, name) = (namespace.map(str::to_owned), name.to_owned());
        Err(match cache.unreadable(namespace.as_deref(), &name) {
            Some(unreadable) => Error::Unreadable {
                resource,
                namespace,
                name,
                reason: unreadable.reason.clone(),
            },
            None => Error::NotFound {
                resource,
                namespace,
                name,
            },
        })
    }

    /// Returns the objects whose current version cannot be deserialized. [`Lister::list`] returns their last readable
    /// versions, if there are any.
    #[must_use]
    pub fn unreadable(&self) -> Vec<Arc<Unreadable>> {
        self.read().unreadable_objects(None).cloned().collect()
    }

    /// Returns a lister for one namespace.
    #[must_use]
    pub fn namespace(&self, namespace: &str) -> NamespaceLister<K> {
        NamespaceLister {
            lister: self.clone(),
            namespace: namespace.to_owned(),
        }
    }

    /// Returns the objects that have `value` in the index `index`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::UnknownIndex`] if the index does not exist.
    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<K>>> {
        Ok(self.read().by_index(index, value)?.cloned().collect())
    }

    /// Returns the objects that have an owner reference to `uid`, as a controller or not.
    #[must_use]
    pub fn by_owner(&self, uid: &str) -> Vec<Arc<K>> {
        self.read().by_owner(uid).cloned().collect()
    }

    /// Returns the number of objects in the cache.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Returns whether the cache is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    fn read(&self) -> RwLockReadGuard<'_, Cache<K>> {
        // A panic under the lock comes from an index function, which runs before any change.
        self.cache.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads one namespace of the cache.
pub struct NamespaceLister<K> {
    lister: Lister<K>,
    namespace: String,
}

impl<K> Clone for NamespaceLister<K> {
    fn clone(&self) -> Self {
        Self {
            lister: self.lister.clone(),
            namespace: self.namespace.clone(),
        }
    }
}

impl<K> fmt::Debug for NamespaceLister<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("NamespaceLister")
            .field("resource", &self.lister.resource)
            .field("namespace", &self.namespace)
            .finish()
    }
}

impl<K: Resource> NamespaceLister<K> {
    /// Returns the objects of this namespace that match `selector`, sorted by name.
    #[must_use]
    pub fn list(&self, selector: &Selector) -> Vec<Arc<K>> {
        let cache = self.lister.read();
        let objects = cache.namespace(&self.namespace);
        if selector.selects_all() {
            objects.cloned().collect()
        } else {
            select(objects, selector)
        }
    }

    /// Returns the object `name`.
    ///
    /// # Errors
    ///
    /// See [`Lister::get`].
    pub fn get(&self, name: &str) -> Result<Arc<K>> {
        self.lister.get(Some(&self.namespace), name)
    }
}

fn select<'a, K: Resource + 'a>(
    objects: impl Iterator<Item = &'a Arc<K>>,
    selector: &Selector,
) -> Vec<Arc<K>> {
    objects
        .filter(|object| selector.matches(object.labels()))
        .cloned()
        .collect()
}
