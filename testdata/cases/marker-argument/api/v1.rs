//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// +kubebuilder:resource:shortNames=t
/// +kubebuilder:printcolumn:name=Name,JSONPath=.spec.name
/// +kubebuilder:printcolumn:name=Name,name=Again,type=string,JSONPath=.spec.name
/// +kubebuilder:printcolumn:name=Name,type=string,jsonPath=.spec.name
/// +kubebuilder:subresource:scale
/// +kubebuilder:selectablefield=.spec.name
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

/// +kubebuilder:validation:XValidation:message="no rule"
/// +kubebuilder:validation:XValidation:rule="true",masage="typo"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub name: String,
}
