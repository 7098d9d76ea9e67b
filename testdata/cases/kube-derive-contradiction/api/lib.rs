use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// +kubebuilder:resource:path=millstones
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "mill.example.org", version = "v1", kind = "Mill", plural = "mills", namespaced)]
pub struct MillSpec {
    pub wind: i32,
}

/// +kubebuilder:resource:scope=Cluster
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "mill.example.org", version = "v1", kind = "Dam", namespaced)]
pub struct DamSpec {
    pub metres: i32,
}
