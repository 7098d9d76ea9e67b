//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// +kubebuilder:object:root=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tug {
    pub name: String,
}

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "harbor.example.org")]
pub struct BargeSpec {
    pub name: String,
}

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
pub struct ShipSpec {
    pub name: String,
}

/// A kind with generics has no one schema.
#[derive(Clone, Debug)]
pub struct Ferry<T> {
    pub metadata: ObjectMeta,
    pub spec: T,
}
