//! The cache as a plain data structure without locks, watches or handlers: objects by namespace and name, and their
//! indexes.
//!
//! Objects are stored in order, so that reads do not sort. Each namespace has its own map, so that a read of one namespace
//! does not touch the others. Indexes share the objects.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use kube::Resource;

use super::Unreadable;
use super::index::{Index, IndexFunction, Values, key};
use super::unreadable::{Noted, UnreadableObjects};
use crate::{Error, Result};

/// The names of the indexes that every cache has.
const NAMESPACE_INDEX: &str = "namespace";
const OWNER_INDEX: &str = "owner";

/// The outcome of an insertion.
#[derive(Debug, PartialEq, Eq)]
pub enum Change<K> {
    /// The cache did not have an object of that namespace and name.
    Added,
    /// The cache had another version of the object: this one.
    Replaced(Arc<K>),
    /// The cache already had this version, by its `resourceVersion`, and keeps it.
    Unchanged,
}

/// Objects by namespace and name, with indexes.
///
/// ```
/// use std::sync::Arc;
/// use k8s_openapi::api::core::v1::Pod;
/// use kgen_runtime::informer::Cache;
///
/// let mut cache = Cache::<Pod>::new();
/// cache.add_index("node", |pod| {
///     pod.spec.iter().filter_map(|spec| spec.node_name.clone()).collect()
/// })?;
/// let mut pod = Pod::default();
/// pod.metadata.name = Some("web-0".to_owned());
/// pod.metadata.namespace = Some("shop".to_owned());
/// pod.spec.get_or_insert_default().node_name = Some("node-7".to_owned());
/// cache.insert(Arc::new(pod));
///
/// assert_eq!(cache.namespace("shop").count(), 1);
/// assert_eq!(cache.by_index("node", "node-7")?.count(), 1);
/// assert!(cache.by_index("rack", "4").is_err());
/// # Ok::<(), kgen_runtime::Error>(())
/// ```
pub struct Cache<K> {
    namespaces: BTreeMap<Box<str>, BTreeMap<Box<str>, Arc<K>>>,
    len: usize,
    owners: Index<K>,
    indexes: BTreeMap<String, Index<K>>,
    unreadable: UnreadableObjects,
}

impl<K: Resource> Default for Cache<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Resource> Cache<K> {
    /// Creates an empty cache with the built-in indexes `namespace` and `owner`.
    #[must_use]
    pub fn new() -> Self {
        Self {
            namespaces: BTreeMap::new(),
            len: 0,
            owners: Index::new(Values::Owners),
            indexes: BTreeMap::new(),
            unreadable: UnreadableObjects::default(),
        }
    }

    /// Stores `object`, and replaces the object of the same namespace and name.
    ///
    /// # Panics
    ///
    /// Panics if an index function panics. The cache does not change in that case.
    pub fn insert(&mut self, object: Arc<K>) -> Change<K> {
        let (namespace, name) = key(&*object);
        let present = self.get(Some(namespace), name).cloned();
        if present
            .as_ref()
            .is_some_and(|present| is_same_state(&**present, &*object))
        {
            return Change::Unchanged;
        }
        // The user's functions run first, so that a panic cannot leave a partial change.
        let values: Vec<_> = self
            .indexes
            .values()
            .map(|index| changed(index.values(), present.as_deref(), &object))
            .collect();
        self.store(namespace, name, &object);
        let (before, after) = changed(&Values::Owners, present.as_deref(), &object);
        update(&mut self.owners, &object, before.as_deref(), &after);
        for (index, (before, after)) in self.indexes.values_mut().zip(&values) {
            update(index, &object, before.as_deref(), after);
        }
        match present {
            Some(old) => Change::Replaced(old),
            None => {
                self.len += 1;
                Change::Added
            }
        }
    }

    fn store(&mut self, namespace: &str, name: &str, object: &Arc<K>) {
        let object = Arc::clone(object);
        // Not the entry API, because it needs an owned key for every update.
        match self.namespaces.get_mut(namespace) {
            Some(objects) => match objects.get_mut(name) {
                Some(present) => *present = object,
                None => drop(objects.insert(name.into(), object)),
            },
            None => drop(
                self.namespaces
                    .insert(namespace.into(), BTreeMap::from([(name.into(), object)])),
            ),
        }
    }

    /// Removes and returns the object of that namespace and name.
    pub fn remove(&mut self, namespace: Option<&str>, name: &str) -> Option<Arc<K>> {
        let namespace = namespace.unwrap_or_default();
        let object = Arc::clone(self.namespaces.get(namespace)?.get(name)?);
        let values: Vec<_> = self
            .indexes
            .values()
            .map(|index| index.values().of_cached(&object))
            .collect();
        let objects = self.namespaces.get_mut(namespace)?;
        objects.remove(name);
        if objects.is_empty() {
            self.namespaces.remove(namespace);
        }
        self.len -= 1;
        self.owners.remove(&object, &Values::Owners.of(&*object));
        for (index, values) in self.indexes.values_mut().zip(&values) {
            match values {
                Some(values) => index.remove(&object, values),
                None => index.remove_everywhere(&object),
            }
        }
        Some(object)
    }

    /// Returns the object of that namespace and name.
    #[must_use]
    pub fn get(&self, namespace: Option<&str>, name: &str) -> Option<&Arc<K>> {
        self.namespaces.get(namespace.unwrap_or_default())?.get(name)
    }

    /// Records that the server has a version of an object that cannot be deserialized.
    pub(super) fn note_unreadable(&mut self, object: &Arc<Unreadable>) -> Noted {
        self.unreadable.note(object)
    }

    /// Removes the record of an unreadable object of that namespace and name.
    pub(super) fn forget_unreadable(&mut self, namespace: &str, name: &str) -> Option<Arc<Unreadable>> {
        self.unreadable.forget(namespace, name)
    }

    /// Returns the unreadable version of the object of that namespace and name, if any. The cache can have an earlier
    /// version.
    #[must_use]
    pub fn unreadable(&self, namespace: Option<&str>, name: &str) -> Option<&Arc<Unreadable>> {
        self.unreadable.get(namespace.unwrap_or_default(), name)
    }

    /// Returns the unreadable objects of one namespace, or of all, sorted by namespace and name.
    pub(super) fn unreadable_objects(
        &self,
        namespace: Option<&str>,
    ) -> impl Iterator<Item = &Arc<Unreadable>> {
        self.unreadable.iter(namespace)
    }

    /// Returns the number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the cache is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns all objects, sorted by namespace and name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<K>> {
        self.namespaces.values().flat_map(BTreeMap::values)
    }

    /// Returns the objects of one namespace, sorted by name.
    pub fn namespace(&self, namespace: &str) -> impl ExactSizeIterator<Item = &Arc<K>> + use<'_, K> {
        self.namespaces
            .get(namespace)
            .map(BTreeMap::values)
            .unwrap_or_default()
    }

    /// Returns the objects that have an owner reference to `uid`, sorted by namespace and name.
    pub fn by_owner(&self, uid: &str) -> impl ExactSizeIterator<Item = &Arc<K>> + use<'_, K> {
        self.owners.get(uid)
    }

    /// Returns the objects that have `value` in the index `index`, sorted by namespace and name. The built-in indexes are
    /// `namespace` and `owner`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::UnknownIndex`] if the index does not exist.
    pub fn by_index<'a>(
        &'a self,
        index: &str,
        value: &str,
    ) -> Result<Box<dyn Iterator<Item = &'a Arc<K>> + 'a>> {
        match index {
            NAMESPACE_INDEX => Ok(Box::new(self.namespace(value))),
            OWNER_INDEX => Ok(Box::new(self.owners.get(value))),
            _ => match self.indexes.get(index) {
                Some(index) => Ok(Box::new(index.get(value))),
                None => Err(Error::UnknownIndex {
                    index: index.to_owned(),
                    known: self.index_names(),
                }),
            },
        }
    }

    /// Adds an index over all present and future objects. `function` returns the values of an object, and must always return
    /// the same values for the same object. Present objects on which it panics are left out of the index, and future ones out
    /// of the cache.
    ///
    /// # Errors
    ///
    /// Returns [`Error::DuplicateIndex`] if an index of this name exists.
    pub fn add_index(
        &mut self,
        name: impl Into<String>,
        function: impl Fn(&K) -> Vec<String> + Send + Sync + 'static,
    ) -> Result<()> {
        self.add_shared_index(name.into(), Arc::new(function))
    }

    pub(super) fn add_shared_index(&mut self, name: String, function: Arc<IndexFunction<K>>) -> Result<()> {
        if self.index_names().contains(&name) {
            return Err(Error::DuplicateIndex { index: name });
        }
        let mut index = Index::new(Values::Function(function));
        for object in self.namespaces.values().flat_map(BTreeMap::values) {
            match index.values().of_cached(object) {
                Some(values) => index.update(object, &[], &values),
                None => {
                    let (namespace, object) = key(&**object);
                    tracing::error!(
                        index = name,
                        namespace,
                        object,
                        "the index function panicked; the object is not in the index"
                    );
                }
            }
        }
        self.indexes.insert(name, index);
        Ok(())
    }

    /// Returns the names of all indexes, the built-in ones first.
    fn index_names(&self) -> Vec<String> {
        let built_in = [NAMESPACE_INDEX, OWNER_INDEX].map(str::to_owned);
        built_in.into_iter().chain(self.indexes.keys().cloned()).collect()
    }
}

impl<K> Cache<K> {
    /// Returns the number of unreadable objects.
    pub(super) fn unreadable_len(&self) -> usize {
        self.unreadable.iter(None).count()
    }
}

/// The values of an object.
type ValuesOf<'a> = Vec<Cow<'a, str>>;

/// Returns the values of an object before and after a change. Those before are `None` if the function panicked on
/// that version.
fn changed<'a, K: Resource>(
    values: &Values<K>,
    before: Option<&'a K>,
    after: &'a K,
) -> (Option<ValuesOf<'a>>, ValuesOf<'a>) {
    let before = before.map_or_else(|| Some(Vec::new()), |object| values.of_cached(object));
    (before, values.of(after))
}

/// Moves `object` in an index from the values `before`, which are `None` if they are unknown, to the values `after`.
fn update<K: Resource>(
    index: &mut Index<K>,
    object: &Arc<K>,
    before: Option<&[Cow<'_, str>]>,
    after: &[Cow<'_, str>],
) {
    if before.is_none() {
        index.remove_everywhere(object);
    }
    index.update(object, before.unwrap_or_default(), after);
}

/// Returns whether both are the same version of the same object.
fn is_same_state<K: Resource>(one: &K, other: &K) -> bool {
    let (one, other) = (one.meta(), other.meta());
    one.uid == other.uid && one.resource_version.is_some() && one.resource_version == other.resource_version
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

    use super::*;

    fn owned(version: &str, owners: &[&str]) -> Arc<ConfigMap> {
        let mut map = ConfigMap::default();
        map.metadata.name = Some("a".to_owned());
        map.metadata.resource_version = Some(version.to_owned());
        let owner = |uid: &&str| OwnerReference {
            uid: (*uid).to_owned(),
            ..OwnerReference::default()
        };
        map.metadata.owner_references = Some(owners.iter().map(owner).collect());
        Arc::new(map)
    }

    #[test]
    fn nothing_is_left_behind() {
        let mut cache = Cache::new();
        assert_eq!(cache.insert(owned("1", &["x", "y"])), Change::Added);
        assert_eq!(cache.owners.bucket_count(), 2);
        assert_eq!(cache.insert(owned("1", &[])), Change::Unchanged);
        assert_eq!(
            cache.insert(owned("2", &["y", "z"])),
            Change::Replaced(owned("1", &["x", "y"]))
        );
        assert_eq!(cache.owners.bucket_count(), 2, "x has gone, z has come");
        assert!(cache.remove(None, "a").is_some());
        assert_eq!(
            (cache.owners.bucket_count(), cache.namespaces.len(), cache.len()),
            (0, 0, 0)
        );
        assert!(cache.remove(None, "a").is_none());
    }
}
