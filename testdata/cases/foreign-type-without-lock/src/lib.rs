//! +groupName=harbour.example.org
//! +versionName=v1

use k8s_openapi::api::core::v1::Affinity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};

// +kubebuilder:object:root=true
pub struct Boat {
    pub metadata: ObjectMeta,
    pub spec: BoatSpec,
}

/// All types of other crates need the lock file, and the first one says so.
#[derive(Serialize, Deserialize)]
pub struct BoatSpec {
    pub affinity: Option<Affinity>,
    pub rope: ropes::Rope,
    /// Known without its source.
    pub conditions: Vec<Condition>,
}
