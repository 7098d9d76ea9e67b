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
    // +kubebuilder:validation:Enum=sail;oar
    pub drive: Drive,
}

// +kubebuilder:validation:Enum=diesel;steam
pub type Drive = String;
