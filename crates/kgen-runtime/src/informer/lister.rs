//! Reading the cache: ordered results, shared objects, and nothing sent to the server.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use kube::core::{Selector, SelectorExt};
use kube::{Resource, ResourceExt};

use super::{Cache, Unreadable};
use crate::{Error, Result};

/// Reads the cache of an [`Informer`](crate::Informer). Clones are cheap and read the same cache.
///
/// Results are ordered by namespace and name. Each call sees one consistent state of the cache. Before the informer has
/// synced, that state is a part of what the server has.
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

impl<K: Resource> Lister<K> {
    /// Reads `cache`; `resource` is what errors call its objects, as in `deployments.apps`.
    #[must_use]
    pub fn new(cache: Arc<RwLock<Cache<K>>>, resource: impl Into<Arc<str>>) -> Self {
        Self {
            cache,
            resource: resource.into(),
        }
    }

    /// The objects that `selector` matches.
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

    /// The object called `name`; objects without a namespace are asked for with `None`.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`]; [`Error::Unreadable`] if the object exists and no version of it could ever be read. An object that
    /// has become unreadable is returned as it was when it could last be read.
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

    /// The objects whose present version cannot be read. [`Lister::list`] has the last version of them that could be read, if
    /// there was one.
    #[must_use]
    pub fn unreadable(&self) -> Vec<Arc<Unreadable>> {
        self.read().unreadable_objects(None).cloned().collect()
    }

    /// The objects of one namespace.
    #[must_use]
    pub fn namespace(&self, namespace: &str) -> NamespaceLister<K> {
        NamespaceLister {
            lister: self.clone(),
            namespace: namespace.to_owned(),
        }
    }

    /// The objects that have `value` in the index called `index`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownIndex`].
    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<K>>> {
        Ok(self.read().by_index(index, value)?.cloned().collect())
    }

    /// The objects that name `uid` among their owners, as controller or not.
    #[must_use]
    pub fn by_owner(&self, uid: &str) -> Vec<Arc<K>> {
        self.read().by_owner(uid).cloned().collect()
    }

    /// How many objects the cache holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether the cache holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    fn read(&self) -> RwLockReadGuard<'_, Cache<K>> {
        // A panic under the lock comes from an index function, and that runs before anything is changed.
        self.cache.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads one namespace of the cache. It touches no other.
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
    /// The objects of this namespace that `selector` matches, by name.
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

    /// The object called `name`.
    ///
    /// # Errors
    ///
    /// As [`Lister::get`].
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
