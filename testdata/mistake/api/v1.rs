//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Memcached {
    pub metadata: ObjectMeta,
    pub spec: MemcachedSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemcachedSpec {
    /// The number of servers.
    // +kubebuilder:validation:Minimun=1
    pub size: i32,
}
