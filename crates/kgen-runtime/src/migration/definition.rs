//! The parts of a CRD that a migration needs.

use serde::Deserialize;
use serde_json::Value;

/// The versions of a CRD.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) generation: i64,
    /// The version in which objects are stored now.
    pub(super) stored: String,
    pub(super) stored_versions: Vec<String>,
    pub(super) versions: Vec<String>,
    pub(super) served: Vec<String>,
}

#[derive(Deserialize)]
struct Version {
    name: String,
    #[serde(default)]
    served: bool,
    #[serde(default)]
    storage: bool,
}

impl Definition {
    /// Reads a CRD. Returns `None` if it does not have a stored version.
    pub(super) fn read(json: &Value) -> Option<Self> {
        let versions = Vec::<Version>::deserialize(json.pointer("/spec/versions")?).ok()?;
        let stored = versions.iter().find(|version| version.storage)?.name.clone();
        let stored_versions = json.pointer("/status/storedVersions")?;
        let served = versions.iter().filter(|version| version.served);
        Some(Self {
            generation: json.pointer("/metadata/generation")?.as_i64()?,
            stored,
            stored_versions: Vec::deserialize(stored_versions).ok()?,
            served: served.map(|version| version.name.clone()).collect(),
            versions: versions.into_iter().map(|version| version.name).collect(),
        })
    }

    /// Returns whether all objects are stored in the stored version.
    pub(super) fn is_done(&self) -> bool {
        self.others().is_empty()
    }

    /// Returns the versions in which objects may be stored, but should not.
    pub(super) fn others(&self) -> Vec<String> {
        let others = self
            .stored_versions
            .iter()
            .filter(|version| **version != self.stored);
        others.cloned().collect()
    }

    /// Returns a version whose URLs can be used: the wanted one, the stored one, or any other.
    pub(super) fn path_version<'d>(&'d self, wanted: &str) -> Option<&'d str> {
        let served = |wanted: &str| self.served.iter().find(|version| *version == wanted);
        let found = served(wanted).or_else(|| served(&self.stored));
        found.or(self.served.first()).map(String::as_str)
    }
}
