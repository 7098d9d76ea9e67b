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
    /// +optional
    pub name: String,
    /// +kubebuilder:validation:Optional
    pub ropes: i32,
    /// +k8s:optional
    pub crew: Vec<String>,
    /// +optional
    pub home: Option<String>,
    /// +optional
    #[serde(default)]
    pub lamps: i32,
    /// +optional
    /// +kubebuilder:default=3
    pub decks: i32,
}
