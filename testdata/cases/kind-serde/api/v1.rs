//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::TypeMeta;
use serde::{Deserialize, Serialize};

/// Derives serde without type meta: the API server refuses its objects.
/// +kubebuilder:subresource:status
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tug {
    pub metadata: ObjectMeta,
}

/// Has the type meta flattened in.
/// +kubebuilder:object:root=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Barge {
    #[serde(flatten)]
    pub types: TypeMeta,
    pub metadata: ObjectMeta,
}
