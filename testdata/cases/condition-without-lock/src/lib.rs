//! +groupName=harbour.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};

/// A kind with conditions has the same definition before and after cargo has fetched k8s-openapi.
// +kubebuilder:object:root=true
pub struct Boat {
    pub metadata: ObjectMeta,
    pub status: Option<BoatStatus>,
}

#[derive(Serialize, Deserialize)]
pub struct BoatStatus {
    // +listType=map
    // +listMapKey=type
    pub conditions: Option<Vec<Condition>>,
}
