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
    /// +kubebuilder:validation:Enum=1;2;three
    pub ropes: i32,
    /// +kubebuilder:validation:Enum=1;2
    pub name: String,
    /// +kubebuilder:validation:Enum="1";"2"
    pub right: String,
    /// +kubebuilder:validation:MaxLength=3
    /// +kubebuilder:validation:Enum=red;green
    pub flag: String,
    /// +kubebuilder:validation:Enum=Diesel;Coal
    pub fuel: Fuel,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Fuel {
    Diesel,
    Steam,
}
