//! +groupName=pottery.example.org
//!
//! Defaults that kgen is asked for and that only running code would tell.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kiln.
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

/// What the potter wants.
#[derive(Serialize, Deserialize)]
pub struct KilnSpec {
    /// Known from the source.
    #[serde(default = "trays")]
    pub trays: i32,
    /// Known to nobody but the machine.
    #[serde(default = "heat")]
    pub heat: i32,
    /// Stated, so nothing is missing.
    // +kubebuilder:default=3
    #[serde(default = "heat")]
    pub stated: i32,
}

fn trays() -> i32 {
    4
}

fn heat() -> i32 {
    std::env::args().count() as i32
}
