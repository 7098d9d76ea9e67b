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

/// What the user wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemcachedSpec {
    /// How many servers run.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=5
    pub size: i32,
    pub eviction: Option<Eviction>,
}

/// What happens when the memory is full.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Eviction {
    LeastRecentlyUsed,
    Refuse,
}

/// What was last seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemcachedStatus {
    #[serde(default)]
    pub nodes: Vec<String>,
}
