//! +groupName=tea.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kettle that boils water.
// +kubebuilder:resource:shortName=kt,categories=tea
// +kubebuilder:deprecatedversion:warning="use v1"
#[derive(Clone, Debug)]
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KettleSpec {
    /// Size of the kettle.
    // +kubebuilder:validation:Minimum=1
    pub size: i32,
    /// Removed later.
    #[serde(default)]
    pub loud: bool,
}

/// Something that cannot be sampled.
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:validation:XValidation:rule="self.spec.checksum == string(size(self.spec.text) * 31 + 7)"
#[derive(Clone, Debug)]
pub struct Riddle {
    pub metadata: ObjectMeta,
    pub spec: RiddleSpec,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RiddleSpec {
    pub text: String,
    pub checksum: String,
}
