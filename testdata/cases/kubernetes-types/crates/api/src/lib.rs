//! Types of k8s-openapi, in a workspace whose other member chooses the version.
//! +groupName=harbour.example.org
//! +versionName=v1

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};

// +kubebuilder:object:root=true
pub struct Boat {
    pub metadata: ObjectMeta,
    pub spec: BoatSpec,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BoatSpec {
    pub aliases: Vec<core::HostAlias>,
    /// An object with `apiVersion`, `kind` and metadata that may be left out.
    pub claim: Option<core::ConfigMap>,
    // +listType=map
    // +listMapKey=type
    pub conditions: Option<Vec<Condition>>,
}
