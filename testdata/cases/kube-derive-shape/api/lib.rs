use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Without `namespaced` it lives in the cluster.
/// +kubebuilder:subresource:status
/// +kubebuilder:resource:shortName=dm
/// +kubebuilder:validation:XValidation:rule="self.metres > 0"
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "mill.example.org", version = "v1alpha1", kind = "Dam", plural = "dams")]
pub struct DamSpec {
    pub metres: i32,
}
