//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

/// +kubebuilder:validation:Enum=diesel;steam
pub type Drive = String;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Flag {
    Red,
    Green,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    /// +kubebuilder:validation:Enum=steam;sail
    pub drive: Drive,
    /// +kubebuilder:validation:Enum=sail;oar
    pub spare: Drive,
    /// +kubebuilder:validation:Enum=Blue
    pub flag: Flag,
}
