//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    // +kubebuilder:default={thickness: 3}
    pub rope: Rope,
}

// The default states no length.
// +kubebuilder:validation:XValidation:rule="self.length > self.thickness",message="a rope is longer than thick"
#[derive(Serialize, Deserialize)]
pub struct Rope {
    pub length: Option<i32>,
    pub thickness: i32,
}
