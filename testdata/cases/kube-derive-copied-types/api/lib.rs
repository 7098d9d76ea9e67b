//! Types of others that a program keeps for its own use must not stop what is its own.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "snapshots.k8s.io", version = "v1", kind = "Snapshot", namespaced)]
pub struct SnapshotSpec {
    pub source: String,
}

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "archive.example.org", version = "v1", kind = "Shelf", namespaced)]
pub struct ShelfSpec {
    pub width: Width,
}

/// The derive of `JsonSchema` states the schema, as schemars takes it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Width {
    pub millimetres: i32,
}

impl<'de> Deserialize<'de> for Width {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i32::deserialize(deserializer).map(|millimetres| Self { millimetres })
    }
}
