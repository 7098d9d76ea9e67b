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
    /// +kubebuilder:validation:Optional
    /// +kubebuilder:validation:Required
    pub name: Option<String>,
    /// +optional
    /// +required
    pub engine: Option<String>,
    /// +k8s:optional
    /// +kubebuilder:validation:Required
    pub rudder: Option<String>,
    /// +listType=set
    /// +k8s:listType=atomic
    pub crew: Vec<String>,
    /// +kubebuilder:default=3
    /// +default=4
    #[serde(default)]
    pub ropes: i32,
}
