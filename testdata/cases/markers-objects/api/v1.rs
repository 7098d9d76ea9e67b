//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +kubebuilder:validation:MinProperties=1
    /// +kubebuilder:validation:MaxProperties=5
    pub labels: BTreeMap<String, String>,
    /// +kubebuilder:validation:EmbeddedResource
    pub object: serde_json::Map<String, serde_json::Value>,
    /// +kubebuilder:validation:XEmbeddedResource
    /// +kubebuilder:validation:XPreserveUnknownFields
    pub other: Free,
    /// +kubebuilder:validation:Schemaless
    /// +kubebuilder:pruning:PreserveUnknownFields
    pub anything: Option<Unreadable>,
    /// +kubebuilder:validation:Schemaless
    /// +kubebuilder:validation:Type=string
    /// +kubebuilder:validation:MaxLength=4
    pub said: Option<Unreadable>,
    /// +kubebuilder:validation:XIntOrString
    /// +kubebuilder:validation:Schemaless
    pub port: Option<Unreadable>,
    pub kept: Kept,
}

/// +kubebuilder:pruning:PreserveUnknownFields
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept {
    pub a: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Free {}

pub struct Unreadable(fn());
