use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

/// An allowance holds for the field or item below it, and for nothing else.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    // +kgen:allow=marker-lookalike
    // + kubebuilder:validation:Minimum=1
    pub heat: i32,
    // + kubebuilder:validation:Minimum=2
    pub pots: i32,
}

// +kgen:allow=marker-lookalike
/// All of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shelf {
    // + kubebuilder:validation:Minimum=3
    pub pots: i32,
}

// +kgen:allow=cel-type
// +kgen:allow=documnt-size
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Door {}
