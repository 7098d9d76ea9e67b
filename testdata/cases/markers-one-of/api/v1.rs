//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

/// +kubebuilder:validation:AtLeastOneOf=wind;water
/// +kubebuilder:validation:ExactlyOneOf=rye;wheat
/// +kubebuilder:validation:AtMostOneOf=steam;wind
/// +kubebuilder:validation:AtMostOneOf=horse;wind
/// +kubebuilder:validation:XValidation:rule="true"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    pub wind: Option<i32>,
    pub water: Option<i32>,
    pub steam: Option<i32>,
    pub horse: Option<i32>,
    pub rye: Option<i32>,
    pub wheat: Option<i32>,
    pub reserved: Option<Reserved>,
}

/// Names that CEL keeps for itself are escaped in the rules.
/// +kubebuilder:validation:ExactlyOneOf=in;namespace
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reserved {
    #[serde(rename = "in")]
    pub inside: Option<String>,
    /// +k8s:immutable
    pub namespace: Option<String>,
}
