//! +groupName=harbor.example.org
//! +groupName=harbour.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// +kubebuilder:resource:shortName=t
/// +kubebuilder:resource:shortName=tg
/// +kubebuilder:subresource:status
/// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    /// +kubebuilder:validation:MaxLength=5
    /// +kubebuilder:validation:MaxLength=6
    pub name: String,
    /// +optional
    /// +optional
    pub home: Option<String>,
    /// +kubebuilder:validation:items:MaxLength=5
    /// +kubebuilder:validation:items:MaxLength=5
    pub crew: Vec<String>,
    /// May stand as often as it likes.
    /// +kubebuilder:validation:XValidation:rule="self > 1"
    /// +kubebuilder:validation:XValidation:rule="self < 9"
    pub ropes: i32,
}
