//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A cache that runs in the cluster.
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.size
#[derive(Clone, Debug)]
pub struct Memcached {
    pub metadata: ObjectMeta,
    pub spec: MemcachedSpec,
    pub status: Option<MemcachedStatus>,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemcachedSpec {
    /// The number of servers.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=5
    pub size: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eviction: Option<Eviction>,
}

/// The behavior when the memory is full.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Eviction {
    LeastRecentlyUsed,
    Refuse,
}

/// The observed state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemcachedStatus {
    /// The names of the servers.
    #[serde(default)]
    pub nodes: Vec<String>,
}
