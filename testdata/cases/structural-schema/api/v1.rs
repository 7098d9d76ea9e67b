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
    /// +kubebuilder:validation:UniqueItems=true
    pub crew: Vec<String>,
    /// False is the same as nothing.
    /// +kubebuilder:validation:UniqueItems=false
    pub ropes: Vec<String>,
    /// No type and nothing kept.
    /// +kubebuilder:validation:Schemaless
    pub chart: Option<String>,
    /// +kubebuilder:validation:Type=array
    pub list: String,
    /// An embedded resource must be an object.
    /// +kubebuilder:validation:XEmbeddedResource
    pub name: String,
    /// An object that knows nothing of its insides.
    /// +kubebuilder:validation:EmbeddedResource
    pub hollow: Hollow,
    /// +kubebuilder:validation:EmbeddedResource
    /// +kubebuilder:pruning:PreserveUnknownFields
    pub fine: Hollow,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hollow {}
