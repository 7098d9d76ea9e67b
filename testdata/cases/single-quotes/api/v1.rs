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
    /// +kubebuilder:default='red'
    #[serde(default)]
    pub flag: String,
    /// +kubebuilder:validation:Enum='red';'green'
    pub light: String,
    /// +kubebuilder:validation:XValidation:rule='self > 0'
    pub ropes: i32,
    /// +kubebuilder:validation:Pattern='^a$'
    pub code: String,
    /// An apostrophe within a word is part of it.
    /// +kubebuilder:default=skipper's
    #[serde(default)]
    pub owner: String,
}
