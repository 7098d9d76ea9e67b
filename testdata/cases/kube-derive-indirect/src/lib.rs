//! kube and schemars come through another crate, which hands them on. The lock file knows which versions these are.

use framework::kube::CustomResource;
use framework::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "orchard.example.org", version = "v1", kind = "Grove", namespaced)]
pub struct GroveSpec {
    /// The first line
    /// and the second line of one paragraph.
    pub rows: u16,
    pub sort: Option<Sort>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Sort {
    Apple,
    Pear,
}
