//! Unreadable objects: they exist on the server, but cannot be deserialized, or a function of the user panics on them. An
//! informer keeps their keys, so that it still notices when they are deleted or become readable.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use kube::Resource;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A version of an object that exists on the server and cannot be in the cache.
///
/// `Debug` does not print the JSON, because it can contain secrets.
#[derive(Clone)]
#[non_exhaustive]
pub struct Unreadable {
    /// The namespace of the object, if it has one.
    pub namespace: Option<String>,
    /// The name of the object.
    pub name: String,
    /// The UID of the object.
    pub uid: Option<String>,
    /// The resource version.
    pub resource_version: Option<String>,
    /// The reason, without any value of the object.
    pub reason: String,
    /// The JSON that the server sent; `None` if the object does not come from a server.
    pub json: Option<Box<RawValue>>,
}

impl Unreadable {
    /// Returns the version `json` of an object that cannot be deserialized.
    pub(super) fn of_json(json: &RawValue, reason: String) -> Self {
        let Head { metadata } = Head::of(json);
        Self {
            namespace: metadata.namespace.filter(|namespace| !namespace.is_empty()),
            name: metadata.name.unwrap_or_default(),
            uid: metadata.uid,
            resource_version: metadata.resource_version,
            reason,
            json: Some(json.to_owned()),
        }
    }

    /// Returns an object that was deserialized, but on which a function of the user panicked.
    pub(super) fn of_object<K: Resource>(object: &K, json: Option<&RawValue>, reason: &str) -> Self {
        let meta = object.meta();
        Self {
            namespace: meta.namespace.clone(),
            name: meta.name.clone().unwrap_or_default(),
            uid: meta.uid.clone(),
            resource_version: meta.resource_version.clone(),
            reason: reason.to_owned(),
            json: json.map(ToOwned::to_owned),
        }
    }

    /// Returns the namespace and name. Cluster-scoped objects have an empty namespace.
    pub(super) fn key(&self) -> (&str, &str) {
        (self.namespace.as_deref().unwrap_or_default(), &self.name)
    }

    /// Returns whether both are the same version of the same object.
    fn is_same_version(&self, other: &Self) -> bool {
        self.uid == other.uid
            && self.resource_version.is_some()
            && self.resource_version == other.resource_version
    }
}

/// `namespace/name: reason`.
impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(namespace) = &self.namespace {
            write!(formatter, "{namespace}/")?;
        }
        write!(formatter, "{}: {}", self.name, self.reason)
    }
}

impl fmt::Debug for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Unreadable")
            .field("namespace", &self.namespace)
            .field("name", &self.name)
            .field("uid", &self.uid)
            .field("resource_version", &self.resource_version)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

/// The metadata that identifies an object, as far as it can be deserialized.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Head {
    pub(super) metadata: HeadMeta,
}

/// See [`Head`].
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct HeadMeta {
    name: Option<String>,
    namespace: Option<String>,
    uid: Option<String>,
    pub(super) resource_version: Option<String>,
    pub(super) annotations: Option<BTreeMap<String, String>>,
}

impl Head {
    /// Deserializes the head of an object. Returns an empty one if even that fails.
    pub(super) fn of(json: &RawValue) -> Self {
        serde_json::from_str(json.get()).unwrap_or_default()
    }
}

/// The unreadable objects of an informer, by namespace and name.
#[derive(Default)]
pub(super) struct UnreadableObjects(BTreeMap<Box<str>, BTreeMap<Box<str>, Arc<Unreadable>>>);

/// The news about an unreadable object.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Noted {
    /// The object was readable or unknown before.
    New,
    /// Another version of the object was unreadable already.
    NewVersion,
    /// This version is already known.
    Known,
}

impl UnreadableObjects {
    /// Stores `object`, and replaces another version of the same object.
    pub(super) fn note(&mut self, object: &Arc<Unreadable>) -> Noted {
        let (namespace, name) = object.key();
        if self
            .get(namespace, name)
            .is_some_and(|known| known.is_same_version(object))
        {
            return Noted::Known;
        }
        let objects = self.0.entry(namespace.into()).or_default();
        match objects.insert(name.into(), Arc::clone(object)) {
            Some(_) => Noted::NewVersion,
            None => Noted::New,
        }
    }

    /// Removes and returns the object of that namespace and name.
    pub(super) fn forget(&mut self, namespace: &str, name: &str) -> Option<Arc<Unreadable>> {
        // This is called for every change, and the map is nearly always empty.
        let objects = self.0.get_mut(namespace)?;
        let object = objects.remove(name);
        if objects.is_empty() {
            self.0.remove(namespace);
        }
        object
    }

    pub(super) fn get(&self, namespace: &str, name: &str) -> Option<&Arc<Unreadable>> {
        self.0.get(namespace)?.get(name)
    }

    /// Returns the objects of one namespace, or all, sorted by namespace and name.
    pub(super) fn iter(&self, namespace: Option<&str>) -> impl Iterator<Item = &Arc<Unreadable>> {
        let one = namespace.map(|namespace| self.0.get(namespace));
        let all = namespace.is_none().then_some(&self.0);
        one.flatten()
            .into_iter()
            .chain(all.into_iter().flat_map(BTreeMap::values))
            .flat_map(BTreeMap::values)
    }
}
