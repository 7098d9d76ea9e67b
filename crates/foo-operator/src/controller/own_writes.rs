//! Knowing when the cache is behind our own writes.
//!
//! A Deployment that we have made queues its Foo, often before the status that we have written arrives in the cache. Whoever
//! went by that cache would write the same status and tell the same event again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kube::ResourceExt;

use super::Key;
use crate::api::v1alpha1::Foo;

/// The versions of Foos that our last writes made. Clones know the same.
#[derive(Clone, Default)]
pub(super) struct OwnWrites(Arc<Mutex<BTreeMap<Key, Foo>>>);

impl OwnWrites {
    /// Remembers what the server answered to a write.
    pub(super) fn remember(&self, written: Foo) {
        self.lock().insert(Key::of(&written), written);
    }

    /// Whether `cached` is older than our last write. The newer version is on its way, and will queue the Foo again.
    pub(super) fn are_newer_than(&self, cached: &Foo) -> bool {
        let key = Key::of(cached);
        let mut known = self.lock();
        let newer = known
            .get(&key)
            .is_some_and(|written| written.uid() == cached.uid() && version(written) > version(cached));
        if !newer {
            known.remove(&key);
        }
        newer
    }

    /// Forgets a Foo that is gone.
    pub(super) fn forget(&self, key: &Key) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Key, Foo>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Versions of one object are numbers that grow. One that is none is older than all, so nothing is ever held back by it.
fn version(foo: &Foo) -> Option<u64> {
    foo.metadata.resource_version.as_deref()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::v1alpha1::FooSpec;

    fn foo(uid: &str, version: &str) -> Foo {
        let mut foo = Foo::new("a", FooSpec::default());
        foo.metadata.uid = Some(uid.to_owned());
        foo.metadata.resource_version = Some(version.to_owned());
        foo
    }

    #[test]
    fn only_older_versions_of_the_same_foo_are_behind() {
        let writes = OwnWrites::default();
        assert!(!writes.are_newer_than(&foo("1", "5")), "nothing was written");
        for (uid, version, behind) in [("1", "9", true), ("1", "10", false), ("2", "9", false)] {
            writes.remember(foo("1", "10"));
            assert_eq!(
                writes.are_newer_than(&foo(uid, version)),
                behind,
                "{uid} {version}"
            );
        }
        writes.remember(foo("1", "opaque"));
        assert!(!writes.are_newer_than(&foo("1", "9")));
    }
}
