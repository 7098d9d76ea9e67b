//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kiln.
// +kubebuilder:storageversion
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    /// The number of shelves.
    pub size: i32,
    /// A note.
    pub note: String,
}
