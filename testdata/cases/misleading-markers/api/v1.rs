use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
// +kubebuilder:validation:XValidation:rule="self.name == "x"",message="quotes"
// +kubebuilder:validation:XValidation:rule="self.name == "x" || self.name == "y"",message="more quotes"
pub struct KilnSpec {
    // +kubebuilder:validation=MaxLength=63
    pub name: String,
    // +kubebuilder:validation:MinLength=1 +kubebuilder:validation:MaxLength=5
    pub short: String,
    // +optional +nullable
    pub note: Option<String>,
    // +kubebuilder:validation:Pattern=^a +optional
    pub pattern: Option<String>,
}
