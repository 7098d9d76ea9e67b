//! Converts the events of one watch to changes of the cache. A list contains all existing objects; a cached object that
//! is not in the list was deleted in a gap of the watch.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Resource;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::Unreadable;
use super::hub::Hub;
use super::index::{ByKey, key};
use super::report::Reporter;
use super::run::Transform;
use crate::reading::mismatch;

/// One object that a watch shows.
pub(super) struct Item<'a, K> {
    /// The transformed object, or the reason why it cannot be used.
    object: Result<K, Arc<Unreadable>>,
    /// The version that the server sent.
    version: Option<String>,
    json: Option<&'a RawValue>,
}

impl<K> From<K> for Item<'_, K> {
    fn from(object: K) -> Self {
        Self {
            object: Ok(object),
            version: None,
            json: None,
        }
    }
}

impl<'a, K: Resource + DeserializeOwned> Item<'a, K> {
    /// Deserializes the object and applies the user's transforms. A failure or a panic affects only this object.
    pub(super) fn read(json: &'a RawValue, transform: Option<&Transform<K>>, reporter: &Reporter) -> Self {
        let panicked = |what: &str| {
            reporter.object_panicked(&format!("{what} has panicked"));
            Arc::new(Unreadable::of_json(json, format!("{what} panics on it")))
        };
        let read = catch_unwind(AssertUnwindSafe(|| {
            serde_json::from_str::<K>(json.get())
                .map_err(|_| Arc::new(Unreadable::of_json(json, mismatch::<K>(json.get()))))
        }));
        let read = read.unwrap_or_else(|_| Err(panicked("the deserializer")));
        // A transform may remove the version, but the watch needs it.
        let version = match &read {
            Ok(object) => object.meta().resource_version.clone(),
            Err(unreadable) => unreadable.resource_version.clone(),
        };
        let object = match (read, transform) {
            (Ok(mut object), Some(transform)) => {
                let transformed = catch_unwind(AssertUnwindSafe(|| {
                    transform(&mut object);
                    object
                }));
                transformed.map_err(|_| panicked("the transform"))
            }
            (read, _) => read,
        };
        Self {
            object,
            version,
            json: Some(json),
        }
    }

    /// Returns the version that the server sent, from which the watch can be resumed. Returns `None` if the server did
    /// not send one.
    pub(super) fn version(&self) -> Option<&str> {
        self.version.as_deref().filter(|version| !version.is_empty())
    }
}

/// One watch that feeds a hub, of one namespace or of all.
pub(super) struct Source<K> {
    hub: Arc<Hub<K>>,
    namespace: Option<String>,
    /// The objects that the cache had at the start of the current list and that the list has not contained yet.
    unseen: BTreeSet<ByKey<K>>,
    /// Namespaces and names of the unreadable objects that the list has not contained yet.
    unseen_unreadable: BTreeSet<(String, String)>,
    has_listed: bool,
}

impl<K: Resource> Source<K> {
    pub(super) fn new(hub: Arc<Hub<K>>, namespace: Option<String>) -> Self {
        Self {
            hub,
            namespace,
            unseen: BTreeSet::new(),
            unseen_unreadable: BTreeSet::new(),
            has_listed: false,
        }
    }

    pub(super) fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    pub(super) fn hub(&self) -> &Hub<K> {
        &self.hub
    }

    /// Begins a list.
    pub(super) fn begin(&mut self) {
        let namespace = self.namespace.as_deref();
        self.unseen = self.hub.present(namespace).into_iter().collect();
        let unreadable = self.hub.unreadable_objects(namespace);
        self.unseen_unreadable = unreadable.iter().map(|object| owned(object.key())).collect();
    }

    /// Takes the next item of the list.
    pub(super) fn listed(&mut self, item: Item<'_, K>) {
        self.insert(item, !self.has_listed);
    }

    /// Completes the list.
    pub(super) fn complete(&mut self) {
        for ByKey(object) in std::mem::take(&mut self.unseen) {
            self.hub.remove(object, false);
        }
        for (namespace, name) in std::mem::take(&mut self.unseen_unreadable) {
            self.hub.remove_key(&namespace, &name, None);
        }
        if !self.has_listed {
            self.has_listed = true;
            self.hub.first_list_done();
        }
    }

    /// Takes an object that is new or has changed.
    pub(super) fn changed(&mut self, item: Item<'_, K>) {
        self.insert(item, false);
    }

    /// Takes an object that has been deleted.
    pub(super) fn deleted(&mut self, item: Item<'_, K>) {
        match item.object {
            Ok(object) => self.hub.remove(Arc::new(object), true),
            Err(unreadable) => {
                let (namespace, name) = unreadable.key();
                self.hub.remove_key(namespace, name, None);
            }
        }
    }

    fn insert(&mut self, item: Item<'_, K>, initial: bool) {
        match item.object {
            Ok(mut object) => {
                trim(object.meta_mut());
                let object = ByKey(Arc::new(object));
                self.unseen.remove(&object);
                if !self.unseen_unreadable.is_empty() {
                    self.unseen_unreadable.remove(&owned(key(&*object.0)));
                }
                self.hub.insert(&object.0, initial, item.json);
            }
            Err(unreadable) => {
                let (namespace, name) = unreadable.key();
                if let Some(object) = self.hub.cached(namespace, name) {
                    self.unseen.remove(&ByKey(object));
                }
                self.unseen_unreadable.remove(&owned((namespace, name)));
                self.hub.unreadable(&unreadable);
            }
        }
    }
}

fn owned((namespace, name): (&str, &str)) -> (String, String) {
    (namespace.to_owned(), name.to_owned())
}

/// Frees the unused capacity of lists, which deserialization leaves behind: four places for a single owner. The cache
/// keeps many objects for a long time.
fn trim(meta: &mut ObjectMeta) {
    meta.owner_references.iter_mut().for_each(Vec::shrink_to_fit);
    meta.finalizers.iter_mut().for_each(Vec::shrink_to_fit);
    meta.managed_fields.iter_mut().for_each(Vec::shrink_to_fit);
}
