//! All kinds of a cluster, by group and plural.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::built_in::TABLE;
use super::{Converter, Kind};

/// The kinds that the cluster serves.
pub(crate) struct Kinds {
    kinds: BTreeMap<(String, String), Arc<Kind>>,
    converters: BTreeMap<String, Converter>,
    epoch: u64,
}

impl Kinds {
    /// Returns the built-in kinds.
    pub(crate) fn built_in(floor: u64) -> Self {
        let rows = TABLE.iter().map(|row| row.to_kind(floor));
        Self {
            kinds: rows
                .map(|kind| ((kind.group.clone(), kind.plural.clone()), Arc::new(kind)))
                .collect(),
            converters: BTreeMap::new(),
            epoch: 0,
        }
    }

    pub(crate) fn get(&self, group: &str, plural: &str) -> Option<&Arc<Kind>> {
        self.kinds.get(&(group.to_owned(), plural.to_owned()))
    }

    /// Finds the kind of an object or of an owner reference.
    pub(crate) fn find(&self, api_version: &str, kind: &str) -> Option<&Arc<Kind>> {
        let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        self.all()
            .find(|found| found.group == group && found.kind == kind && found.version(version).is_some())
    }

    /// Finds a kind in a version that requests can use.
    pub(crate) fn find_served(&self, api_version: &str, kind: &str) -> Option<&Arc<Kind>> {
        let (_, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        self.find(api_version, kind)
            .filter(|found| found.served(version).is_some())
    }

    /// Finds the kind of a resource such as `widgets.example.org`.
    pub(crate) fn by_resource(&self, resource: &str) -> Option<&Arc<Kind>> {
        let (plural, group) = resource.split_once('.').unwrap_or((resource, ""));
        self.get(group, plural)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Kind>> {
        self.kinds.values()
    }

    pub(crate) fn set_converter(&mut self, resource: String, convert: Converter) {
        self.converters.insert(resource, convert);
    }

    /// Serves the kind of a definition, or serves it anew.
    pub(crate) fn install(&mut self, crd: &Value, floor: u64) -> Result<(), String> {
        self.epoch += 1;
        let convert = self.converters.get(crate::meta::name(crd)).cloned();
        let kind = Kind::from_definition(crd, floor, self.epoch, convert)?;
        let key = (kind.group.clone(), kind.plural.clone());
        if let Some(before) = self.kinds.get(&key)
            && !before.is_custom()
        {
            return Err(format!("{} is a built-in kind", kind.resource));
        }
        let floor = self.kinds.get(&key).map_or(floor, |before| before.floor);
        self.kinds.insert(key, Arc::new(Kind { floor, ..kind }));
        Ok(())
    }

    pub(crate) fn uninstall(&mut self, crd: &Value) {
        let text = |pointer: &str| {
            crd.pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        self.kinds
            .remove(&(text("/spec/group"), text("/spec/names/plural")));
    }
}
