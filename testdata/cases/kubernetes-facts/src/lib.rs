//! What the source of k8s-openapi has lost: how lists and maps merge, and defaults.
//! +groupName=harbour.example.org
//! +versionName=v1

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::api::scheduling::v1alpha2::BasicSchedulingPolicy;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

// +kubebuilder:object:root=true
pub struct Crane {
    pub metadata: ObjectMeta,
    pub spec: CraneSpec,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CraneSpec {
    pub pod: core::PodSpec,
    /// A default beside the one of the type.
    // +kubebuilder:default={name: harbour}
    pub secret: core::LocalObjectReference,
    /// Atomic in Kubernetes, and field by field here.
    // +mapType=granular
    pub owner: Option<core::LocalObjectReference>,
    /// A list of one's own has no facts.
    pub containers: Option<Vec<core::Container>>,
    /// Embeds an atomic struct in Go, and is not atomic itself.
    pub source: Option<core::SecretEnvSource>,
    /// A struct without fields.
    pub policy: Option<BasicSchedulingPolicy>,
}
