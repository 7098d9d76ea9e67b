//! An index: maps a value to the objects that have it, sorted by namespace and name. It contains the objects themselves
//! and not their names, so that a lookup does not need the cache.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kube::Resource;

/// The type of a user's index function.
pub(super) type IndexFunction<K> = dyn Fn(&K) -> Vec<String> + Send + Sync;

/// Returns the namespace and name of an object. Cluster-scoped objects have an empty namespace.
pub(super) fn key<K: Resource>(object: &K) -> (&str, &str) {
    let meta = object.meta();
    (
        meta.namespace.as_deref().unwrap_or_default(),
        meta.name.as_deref().unwrap_or_default(),
    )
}

/// An object that compares by its namespace and name only.
pub(super) struct ByKey<K>(pub(super) Arc<K>);

impl<K: Resource> Ord for ByKey<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        key(&*self.0).cmp(&key(&*other.0))
    }
}

impl<K: Resource> PartialOrd for ByKey<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Resource> PartialEq for ByKey<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Resource> Eq for ByKey<K> {}

/// Where the values of an object come from.
pub(super) enum Values<K> {
    /// The UIDs of its owners.
    Owners,
    /// An index with a user's function.
    Function(Arc<IndexFunction<K>>),
}

impl<K: Resource> Values<K> {
    /// Returns the values of `object`.
    pub(super) fn of<'a>(&self, object: &'a K) -> Vec<Cow<'a, str>> {
        match self {
            Self::Owners => object
                .meta()
                .owner_references
                .iter()
                .flatten()
                .map(|owner| Cow::Borrowed(owner.uid.as_str()))
                .collect(),
            Self::Function(function) => function(object).into_iter().map(Cow::Owned).collect(),
        }
    }

    /// Returns the values of a cached object. Returns `None` if the function panics on it.
    pub(super) fn of_cached<'a>(&self, object: &'a K) -> Option<Vec<Cow<'a, str>>> {
        catch_unwind(AssertUnwindSafe(|| self.of(object))).ok()
    }
}

/// One index.
pub(super) struct Index<K> {
    values: Values<K>,
    buckets: HashMap<Box<str>, BTreeSet<ByKey<K>>>,
}

impl<K: Resource> Index<K> {
    pub(super) fn new(values: Values<K>) -> Self {
        Self {
            values,
            buckets: HashMap::new(),
        }
    }

    pub(super) fn values(&self) -> &Values<K> {
        &self.values
    }

    /// Adds `object` to the values `after`, and removes its former state from the remaining values of `before`.
    pub(super) fn update(&mut self, object: &Arc<K>, before: &[Cow<'_, str>], after: &[Cow<'_, str>]) {
        let left: Vec<_> = before
            .iter()
            .filter(|value| !after.contains(value))
            .cloned()
            .collect();
        self.remove(object, &left);
        for value in after {
            match self.buckets.get_mut(value.as_ref()) {
                // `replace` and not `insert`, which would keep the former state, because it has the same key.
                Some(bucket) => drop(bucket.replace(ByKey(Arc::clone(object)))),
                None => {
                    let bucket = BTreeSet::from([ByKey(Arc::clone(object))]);
                    self.buckets.insert(value.as_ref().into(), bucket);
                }
            }
        }
    }

    /// Removes the object with the key of `object` from `values`, and removes empty buckets.
    pub(super) fn remove(&mut self, object: &Arc<K>, values: &[Cow<'_, str>]) {
        for value in values {
            if let Some(bucket) = self.buckets.get_mut(value.as_ref()) {
                bucket.remove(&ByKey(Arc::clone(object)));
                if bucket.is_empty() {
                    self.buckets.remove(value.as_ref());
                }
            }
        }
    }

    /// Removes the object with the key of `object` from all values, if its values are not known.
    pub(super) fn remove_everywhere(&mut self, object: &Arc<K>) {
        let entry = ByKey(Arc::clone(object));
        self.buckets.retain(|_, bucket| {
            bucket.remove(&entry);
            !bucket.is_empty()
        });
    }

    /// Returns the objects that have `value`, in order.
    pub(super) fn get(&self, value: &str) -> impl ExactSizeIterator<Item = &Arc<K>> + use<'_, K> {
        self.buckets
            .get(value)
            .map(BTreeSet::iter)
            .unwrap_or_default()
            .map(|entry| &entry.0)
    }

    #[cfg(test)]
    pub(super) fn bucket_count(&self) -> usize {
        self.buckets.len()
    }
}
