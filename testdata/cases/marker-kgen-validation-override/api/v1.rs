//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// The tighter bound wins: 10.
    // +kubebuilder:validation:MaxLength=20
    pub narrowed: Name,
    /// The bound of the field wins, and the pattern of the type stays.
    // +kgen:validation:override
    // +kubebuilder:validation:MaxLength=20
    pub wider: Name,
    /// The pattern of the field wins.
    // +kubebuilder:validation:Pattern=`^[a-z0-9]+$`
    // +kgen:validation:override
    pub other: Name,
    /// The minimum of the field wins, with its exclusive flag.
    // +kgen:validation:override
    // +kubebuilder:validation:Minimum=-5
    pub heat: Heat,
    /// There is nothing to override.
    // +kgen:validation:override
    // +kubebuilder:validation:MaxLength=20
    pub plain: String,
}

// +kubebuilder:validation:MaxLength=10
// +kubebuilder:validation:Pattern=`^[a-z]+$`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Name(pub String);

// +kubebuilder:validation:Minimum=0
// +kubebuilder:validation:ExclusiveMinimum=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heat(pub i32);
