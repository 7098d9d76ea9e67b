//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A cache that runs in the cluster.
///
/// +kubebuilder:subresource:status
/// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.size
#[derive(Clone, Debug)]
pub struct Memcached {
    pub metadata: ObjectMeta,
    pub spec: MemcachedSpec,
    pub status: Option<MemcachedStatus>,
}

/// What the user wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemcachedSpec {
    /// How many servers run.
    ///
    /// +kubebuilder:validation:Minimum=1
    /// +kubebuilder:validation:Maximum=5
    pub size: i32,

    /// What happens when the memory is full.
    #[serde(default)]
    pub eviction: Eviction,
}

/// A policy for full memory.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub enum Eviction {
    #[default]
    LeastRecentlyUsed,
    Refuse,
}

/// What was last seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemcachedStatus {
    /// Names of the pods that serve.
    #[serde(default)]
    pub nodes: Vec<String>,
}
