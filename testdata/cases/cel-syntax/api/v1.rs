//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

/// +kubebuilder:validation:XValidation:rule="self.minimum <="
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    /// +kubebuilder:validation:XValidation:rule="self > 0",message="must pull"
    /// +kubebuilder:validation:XValidation:rule="self > 0 &&& self < 5"
    pub minimum: i32,
    /// +kubebuilder:validation:XValidation:rule="size(self) > 3",messageExpression="'too short: ' + (self"
    pub name: String,
}
