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
    pub cargo: Crate,
    pub list: Vec<Node>,
    /// Cut where it turns.
    pub cut: Cut,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Crate {
    pub label: String,
    pub inside: Option<Box<Crate>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Node {
    pub branch: Branch,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Branch {
    pub nodes: Vec<Node>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cut {
    /// +kubebuilder:validation:Schemaless
    /// +kubebuilder:pruning:PreserveUnknownFields
    pub next: Option<Box<Cut>>,
}
