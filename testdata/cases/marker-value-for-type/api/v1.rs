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
    /// +kubebuilder:validation:Minimum=1.5
    pub depth: i32,
    /// +kubebuilder:validation:MultipleOf=0.5
    pub draught: i64,
    /// +kubebuilder:validation:MultipleOf=0
    pub step: i64,
    /// +kubebuilder:externalDocs:url="not a url"
    pub docs: String,
    /// +kubebuilder:externalDocs:url="https://example.org/docs"
    pub fine: String,
}
