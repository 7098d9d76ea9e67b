//! The objects and the log of their changes.
//!
//! The store knows keys and revisions, but no kinds. One revision counts all writes, as in etcd. The log keeps the states
//! before and after each change, so that watches and lists can start at an earlier revision.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

/// The revision before the first write. It is larger than 1, so that 1 is always too old, as on a server that has run for
/// a while.
const FIRST_REVISION: u64 = 100;

/// An object as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// The object in the version in which it is stored, with its resource version.
    pub(crate) object: Arc<Value>,
    /// The number of the schema that it was written with; see `Kind::epoch`.
    pub(crate) epoch: u64,
    /// Empty parts of the metadata that are stored, but not shown; see [`meta::omit_empty`](crate::meta::omit_empty).
    pub(crate) unshown: Vec<&'static str>,
    /// The object as JSON, written when a client first reads it.
    pub(crate) text: Arc<OnceLock<String>>,
}

impl Stored {
    pub(crate) fn new(object: Value, epoch: u64) -> Self {
        Self {
            object: Arc::new(object),
            epoch,
            unshown: Vec::new(),
            text: Arc::default(),
        }
    }

    pub(crate) fn with_unshown(mut self, unshown: &[&'static str]) -> Self {
        self.unshown = unshown.to_vec();
        self
    }
}

/// One change of one object.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) revision: u64,
    /// The resource, such as `widgets.example.org`.
    pub(crate) resource: Arc<str>,
    /// The namespace and the name.
    pub(crate) key: String,
    /// The state before the change, `None` if the object was created.
    pub(crate) old: Option<Stored>,
    /// The state after the change. A deleted object has the revision of its deletion.
    pub(crate) new: Stored,
    pub(crate) deleted: bool,
}

/// All objects.
#[derive(Debug)]
pub(crate) struct Store {
    revision: u64,
    resources: BTreeMap<Arc<str>, BTreeMap<String, Stored>>,
    log: VecDeque<Change>,
    /// Changes up to this revision are no longer in the log.
    compacted: u64,
    history: usize,
}

/// Returns the key of an object: `namespace/name`, or the name of an object without a namespace.
pub(crate) fn key(namespace: &str, name: &str) -> String {
    if namespace.is_empty() {
        name.to_owned()
    } else {
        format!("{namespace}/{name}")
    }
}

impl Store {
    pub(crate) fn new(history: usize) -> Self {
        Self {
            revision: FIRST_REVISION,
            resources: BTreeMap::new(),
            log: VecDeque::new(),
            compacted: FIRST_REVISION,
            history,
        }
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the last revision whose change is no longer known.
    pub(crate) fn compacted(&self) -> u64 {
        self.compacted
    }

    pub(crate) fn get(&self, resource: &str, key: &str) -> Option<&Stored> {
        self.resources.get(resource)?.get(key)
    }

    /// Returns the objects of a resource whose keys begin with `prefix`, in the order of their keys.
    pub(crate) fn list<'s>(
        &'s self,
        resource: &str,
        prefix: &'s str,
    ) -> impl Iterator<Item = (&'s String, &'s Stored)> {
        let objects = self.resources.get(resource).into_iter();
        let range = (Bound::Included(prefix.to_owned()), Bound::Unbounded);
        objects
            .flat_map(move |objects| objects.range(range.clone()))
            .take_while(move |(key, _)| key.starts_with(prefix))
    }

    /// Returns the objects of a resource as they were at a revision. `None` if that is not known anymore.
    pub(crate) fn list_at(
        &self,
        resource: &str,
        prefix: &str,
        revision: u64,
    ) -> Option<BTreeMap<String, Stored>> {
        if revision < self.compacted {
            return None;
        }
        let mut objects: BTreeMap<String, Stored> = self
            .list(resource, prefix)
            .map(|(key, stored)| (key.clone(), stored.clone()))
            .collect();
        let later = self
            .log
            .iter()
            .rev()
            .take_while(|change| change.revision > revision);
        for change in later.filter(|change| &*change.resource == resource && change.key.starts_with(prefix)) {
            match &change.old {
                Some(old) => objects.insert(change.key.clone(), old.clone()),
                None => objects.remove(&change.key),
            };
        }
        Some(objects)
    }

    /// Returns the names of all resources that have objects.
    pub(crate) fn resources(&self) -> Vec<Arc<str>> {
        let with_objects = self.resources.iter().filter(|(_, objects)| !objects.is_empty());
        with_objects.map(|(resource, _)| resource.clone()).collect()
    }

    /// Stores an object under the next revision, which it gets as its resource version.
    pub(crate) fn put(&mut self, resource: &Arc<str>, key: &str, object: Value, epoch: u64) -> Stored {
        self.put_stored(resource, key, Stored::new(object, epoch))
    }

    /// Stores an object like [`Store::put`].
    pub(crate) fn put_stored(&mut self, resource: &Arc<str>, key: &str, mut new: Stored) -> Stored {
        self.revision += 1;
        set_version(Arc::make_mut(&mut new.object), self.revision);
        let objects = self.resources.entry(resource.clone()).or_default();
        let old = objects.insert(key.to_owned(), new.clone());
        self.record(resource, key, old, new.clone(), false);
        new
    }

    /// Removes an object.
    pub(crate) fn remove(&mut self, resource: &Arc<str>, key: &str) {
        let Some(old) = self
            .resources
            .get_mut(resource)
            .and_then(|objects| objects.remove(key))
        else {
            return;
        };
        self.revision += 1;
        let mut last = (*old.object).clone();
        set_version(&mut last, self.revision);
        let new = Stored::new(last, old.epoch);
        self.record(resource, key, Some(old), new, true);
    }

    fn record(&mut self, resource: &Arc<str>, key: &str, old: Option<Stored>, new: Stored, deleted: bool) {
        self.log.push_back(Change {
            revision: self.revision,
            resource: resource.clone(),
            key: key.to_owned(),
            old,
            new,
            deleted,
        });
        while self.log.len() > self.history {
            if let Some(change) = self.log.pop_front() {
                self.compacted = change.revision;
            }
        }
    }

    /// Returns the changes after a revision, oldest first.
    pub(crate) fn changes_after(&self, revision: u64) -> impl Iterator<Item = &Change> {
        let first = self.log.partition_point(|change| change.revision <= revision);
        self.log.range(first..)
    }

    /// Forgets all changes so far.
    pub(crate) fn compact(&mut self) {
        self.log.clear();
        self.compacted = self.revision;
    }
}

fn set_version(object: &mut Value, revision: u64) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.insert("resourceVersion".to_owned(), Value::from(revision.to_string()));
    }
}
