//! +groupName=example.com
//! +versionName=v2

use crate::shared::Heat;

/// A kiln.
// +kubebuilder:printcolumn:name=Heat,type=integer,JSONPath=`.spec.heat.temperature`
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    pub spec: KilnSpec,
}

/// What the user wants.
// +kubebuilder:validation:XValidation:rule="self.heat.temperature > 0"
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct KilnSpec {
    pub heat: Heat,
}
