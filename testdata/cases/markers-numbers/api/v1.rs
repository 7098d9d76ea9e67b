//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +kubebuilder:validation:Minimum=-5
    /// +kubebuilder:validation:Maximum=50
    /// +kubebuilder:validation:ExclusiveMinimum=true
    /// +kubebuilder:validation:ExclusiveMaximum=false
    /// +kubebuilder:validation:MultipleOf=5
    pub wind: i32,
    /// +kubebuilder:validation:items:Minimum=1
    /// +kubebuilder:validation:items:Maximum=9
    /// +kubebuilder:validation:items:ExclusiveMaximum=true
    /// +kubebuilder:validation:items:MultipleOf=2
    /// +kubebuilder:validation:MinItems=1
    /// +kubebuilder:validation:MaxItems=4
    pub sacks: Vec<i32>,
    /// +kubebuilder:validation:Minimum=010
    /// +kubebuilder:validation:Maximum=9007199254740993
    pub large: i64,
    /// Bounds are floats in Kubernetes, and written in the fewest digits that name the float.
    /// +kubebuilder:validation:Minimum=-9223372036854775808
    /// +kubebuilder:validation:Maximum=9223372036854774784
    pub largest: i64,
}
