//! Types of crates from a registry, a vendored folder, a checkout of git and a patch.
//! +groupName=harbour.example.org
//! +versionName=v1

use charts::prelude::*;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use rope_works::{Rope, fibre};

// +kubebuilder:object:root=true
pub struct Boat {
    pub metadata: ObjectMeta,
    pub spec: BoatSpec,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BoatSpec {
    /// What the field says goes before what the type says.
    pub painter: Rope,
    /// A type that lives in a third crate.
    pub stuff: fibre::Hemp,
    pub old: old_rope::Rope,
    pub sail: sails::Sail<String>,
    pub chart: Option<Chart>,
    pub anchor: anchors::Anchor,
    /// Well known, and reached through two crates that hand it on.
    pub grown: rope_works::fibre::Time,
}
