//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.name,statuspath=.status.tugs
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
    pub status: Option<TugStatus>,
}

#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    pub tugs: i32,
    pub name: String,
}

#[derive(Serialize, Deserialize)]
pub struct TugStatus {
    pub tugs: i32,
    pub selector: String,
}
