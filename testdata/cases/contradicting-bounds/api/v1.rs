//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    /// +kubebuilder:validation:Minimum=10
    /// +kubebuilder:validation:Maximum=9
    pub horsepower: i32,
    /// +kubebuilder:validation:MinLength=4
    /// +kubebuilder:validation:MaxLength=3
    pub name: String,
    /// +kubebuilder:validation:MinItems=2
    /// +kubebuilder:validation:MaxItems=1
    pub crew: Vec<String>,
    /// Equal bounds leave one value.
    /// +kubebuilder:validation:Minimum=7
    /// +kubebuilder:validation:Maximum=7
    pub lamps: i32,
    /// Equal bounds that are exclusive leave none.
    /// +kubebuilder:validation:Minimum=7
    /// +kubebuilder:validation:Maximum=7
    /// +kubebuilder:validation:ExclusiveMaximum=true
    pub ropes: i32,
    /// Beyond what the Rust type can hold.
    /// +kubebuilder:validation:Minimum=300
    pub berth: u8,
}
