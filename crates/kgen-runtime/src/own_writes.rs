//! Detects that the cache is older than the program's own writes.
//!
//! A dependent object that an operator creates queues its owner, often before the status that the operator wrote arrives
//! in the cache. A reconciliation with this cache would write the same status and record the same event again.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kube::Resource;

/// The resource versions of the last own writes to objects of one kind. Clones share them.
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

/// Namespace and name. Cluster-scoped objects have an empty namespace.
type Key = (String, String);

struct Version {
    uid: Option<String>,
    number: Option<u64>,
}

impl<K: Resource> OwnWrites<K> {
    /// Remembers the object that the server returned for a write.
    pub fn remember(&self, written: &K) {
        self.lock().insert(key(written), version(written));
    }

    /// Returns whether `cached` is older than the last own write. The arrival of the newer version will trigger another
    /// reconciliation.
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

    /// Forgets a deleted object.
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

/// Parses a resource version as a number, because the versions of an object increase. Returns the lowest number for other
/// versions, so that they never delay a reconciliation.
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
