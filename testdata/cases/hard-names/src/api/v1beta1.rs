//! +groupName=names.example.org
//! Another version of one of the kinds.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// What is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spec {
    /// How many.
    pub number: i32,
}

/// As in the runtime.
// +genclient
// +kubebuilder:storageversion
#[derive(Clone, Debug)]
pub struct Handle {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}
