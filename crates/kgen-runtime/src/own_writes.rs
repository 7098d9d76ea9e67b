//! Knowing when the cache is behind our own writes.
//!
//! What an operator has made queues the object that it was made for, often before the status that was written with it
//! arrives in the cache. Whoever went by that cache would write the same status and tell the same event again.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kube::Resource;

/// The versions that our last writes made of the objects of one kind. Clones know the same.
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kgen_runtime::OwnWrites;
///
/// let version = |version: &str| {
///     let mut object = ConfigMap::default();
///     object.metadata.name = Some("settings".into());
///     object.metadata.uid = Some("4a1e".into());
///     object.metadata.resource_version = Some(version.into());
///     object
/// };
/// let writes = OwnWrites::default();
/// writes.remember(&version("10"));
/// assert!(writes.are_newer_than(&version("9")));
/// assert!(!writes.are_newer_than(&version("10")));
/// ```
pub struct OwnWrites<K> {
    versions: Arc<Mutex<BTreeMap<Key, Version>>>,
    kind: PhantomData<fn(K)>,
}

/// Namespace and name. What has no namespace has an empty one.
type Key = (String, String);

struct Version {
    uid: Option<String>,
    number: Option<u64>,
}

impl<K: Resource> OwnWrites<K> {
    /// Remembers what the server answered to a write.
    pub fn remember(&self, written: &K) {
        self.lock().insert(key(written), version(written));
    }

    /// Whether `cached` is older than our last write. The newer version is on its way, and its arrival is the time to look
    /// at the object again.
    #[must_use]
    pub fn are_newer_than(&self, cached: &K) -> bool {
        let key = key(cached);
        let cached = version(cached);
        let mut known = self.lock();
        let newer = known
            .get(&key)
            .is_some_and(|written| written.uid == cached.uid && written.number > cached.number);
        if !newer {
            known.remove(&key);
        }
        newer
    }

    /// Forgets an object that is gone.
    pub fn forget(&self, namespace: &str, name: &str) {
        self.lock().remove(&(namespace.to_owned(), name.to_owned()));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Key, Version>> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key<K: Resource>(object: &K) -> Key {
    let meta = object.meta();
    (
        meta.namespace.clone().unwrap_or_default(),
        meta.name.clone().unwrap_or_default(),
    )
}

/// Versions of one object are numbers that grow. One that is none is older than all, so nothing is ever held back by it.
fn version<K: Resource>(object: &K) -> Version {
    let meta = object.meta();
    Version {
        uid: meta.uid.clone(),
        number: meta
            .resource_version
            .as_deref()
            .and_then(|version| version.parse().ok()),
    }
}

impl<K> Clone for OwnWrites<K> {
    fn clone(&self) -> Self {
        Self {
            versions: Arc::clone(&self.versions),
            kind: PhantomData,
        }
    }
}

impl<K> Default for OwnWrites<K> {
    fn default() -> Self {
        Self {
            versions: Arc::default(),
            kind: PhantomData,
        }
    }
}

impl<K> fmt::Debug for OwnWrites<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OwnWrites").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;

    use super::*;

    fn map(uid: &str, version: &str) -> ConfigMap {
        let mut map = ConfigMap::default();
        map.metadata.namespace = Some("default".to_owned());
        map.metadata.name = Some("a".to_owned());
        map.metadata.uid = Some(uid.to_owned());
        map.metadata.resource_version = Some(version.to_owned());
        map
    }

    #[test]
    fn only_older_versions_of_the_same_object_are_behind() {
        let writes = OwnWrites::default();
        assert!(!writes.are_newer_than(&map("1", "5")), "nothing was written");
        for (uid, version, behind) in [("1", "9", true), ("1", "10", false), ("2", "9", false)] {
            writes.remember(&map("1", "10"));
            assert_eq!(
                writes.are_newer_than(&map(uid, version)),
                behind,
                "{uid} {version}"
            );
        }
        writes.remember(&map("1", "opaque"));
        assert!(!writes.are_newer_than(&map("1", "9")));
    }

    #[test]
    fn what_is_gone_holds_nothing_back() {
        let writes = OwnWrites::default();
        writes.remember(&map("1", "10"));
        writes.clone().forget("default", "a");
        assert!(!writes.are_newer_than(&map("1", "9")));
    }
}
