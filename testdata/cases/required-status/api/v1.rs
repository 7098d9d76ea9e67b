//! +groupName=kiln.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Kiln could never be created.
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Heat,
    pub status: Heat,
}

/// Oven has a status that is filled in, so it is not required.
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    // +kubebuilder:default={degrees: 0}
    pub status: Heat,
}

/// Stove has no subresource, so its author writes the status.
#[derive(Clone, Debug)]
pub struct Stove {
    pub metadata: ObjectMeta,
    pub status: Heat,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heat {
    pub degrees: i32,
}
