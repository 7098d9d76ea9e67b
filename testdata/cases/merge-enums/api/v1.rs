//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

/// +kubebuilder:validation:Enum=wood;gas;current
pub type Fuel = String;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Heat {
    Top,
    Bottom,
    Both,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// +kubebuilder:validation:Enum=gas;oil;wood
    pub fuel: Fuel,
    /// +kubebuilder:validation:Enum=Both;Top
    pub heat: Heat,
    pub whole: Fuel,
}
