//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

/// +kubebuilder:validation:XValidation:rule="self.size() > 1",message="type 1"
/// +kubebuilder:validation:XValidation:rule="self.size() > 2",message="type 2"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Name(String);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// +kubebuilder:validation:XValidation:rule="self.size() > 3",message="field 1"
    /// +kubebuilder:validation:XValidation:rule="self.size() > 4",message="field 2"
    pub name: Name,
}
