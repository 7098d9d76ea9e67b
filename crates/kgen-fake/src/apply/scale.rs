//! The managed fields of the subresource `scale`, which has a single field of the object: the number of replicas.
//!
//! A write to `scale` sees the entries of the object that own this field. Afterwards they are translated back, and the rest of
//! the entries of the object is kept.

use serde_json::Value;

use super::managed::{Entry, Identity, Managed};
use super::set::{Path, Set};

/// The version of the subresource.
pub(crate) const SCALE_VERSION: &str = "autoscaling/v1";

/// Translates managed fields between an object and its scale.
#[derive(Clone, Debug, Default)]
pub struct ScaleFields {
    /// The path of the replicas in each version of the object, or `None` if the version has no scale.
    paths: Vec<(String, Option<Path>)>,
}

impl ScaleFields {
    /// Adds a version of the object. `replicas` is `specReplicasPath`, such as `.spec.size`.
    pub fn add_version(&mut self, api_version: &str, replicas: Option<&str>) {
        let replicas = replicas.map(|path| Path::fields(path.trim_start_matches('.').split('.')));
        self.paths.push((api_version.to_owned(), replicas));
    }

    /// Reads the versions of a CRD.
    pub fn of_definition(definition: &Value) -> Self {
        let mut fields = Self::default();
        let text = |json: Option<&Value>| json.and_then(Value::as_str).unwrap_or_default().to_owned();
        let group = text(definition.pointer("/spec/group"));
        let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
        for version in versions.into_iter().flatten() {
            let path = version.pointer("/subresources/scale/specReplicasPath");
            let api_version = format!("{group}/{}", text(version.get("name")));
            fields.add_version(&api_version, path.and_then(Value::as_str));
        }
        fields
    }

    fn path(&self, api_version: &str) -> Option<&Option<Path>> {
        let found = self.paths.iter().find(|(version, _)| version == api_version);
        found.map(|(_, path)| path)
    }

    /// Returns the managed fields of the scale of an object.
    pub fn to_scale(&self, object: &Managed) -> Managed {
        let mut scale = Managed::default();
        for entry in object.entries() {
            if let Some(Some(path)) = self.path(&entry.api_version)
                && entry.set().contains(&path.0)
            {
                let identity = &entry.identity;
                let identity = Identity::new(
                    &identity.manager,
                    identity.operation,
                    SCALE_VERSION,
                    &identity.subresource,
                );
                scale.put(Entry {
                    identity,
                    api_version: SCALE_VERSION.to_owned(),
                    fields: Set::of([Path::fields(["spec", "replicas"])]).into(),
                    time: entry.time.clone(),
                });
            }
        }
        scale
    }

    /// Returns the managed fields of an object after a write to its scale through `api_version` of the object.
    ///
    /// An updater that owned the replicas before gets a second entry, and the entry of a new manager has no time: both are
    /// what the API server does.
    pub fn to_object(&self, object: &Managed, scale: &Managed, api_version: &str) -> Managed {
        let mut scale = scale.clone();
        let mut entries = Vec::new();
        for entry in object.entries() {
            let Some(path) = self.path(&entry.api_version) else {
                continue;
            };
            let Some(path) = path.as_ref().filter(|path| entry.set().contains(&path.0)) else {
                entries.push(entry.clone());
                continue;
            };
            if scale.take(&entry.identity).is_some() {
                entries.push(entry.clone());
                continue;
            }
            let set = entry.set().difference(&Set::of([path.clone()]));
            if !set.is_empty() {
                let entry = entry.clone();
                entries.push(Entry {
                    fields: set.into(),
                    ..entry
                });
            }
        }
        let replicas = Path::fields(["spec", "replicas"]);
        if let Some(Some(path)) = self.path(api_version) {
            for entry in scale.entries() {
                if entry.set().contains(&replicas.0) {
                    let before = object.entry(&entry.identity);
                    entries.push(Entry {
                        identity: entry.identity.clone(),
                        api_version: api_version.to_owned(),
                        fields: Set::of([path.clone()]).into(),
                        time: before.and_then(|entry| entry.time.clone()),
                    });
                }
            }
        }
        Managed { entries }
    }
}
