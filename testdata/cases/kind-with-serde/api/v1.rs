//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::TypeMeta;
use serde::{Deserialize, Serialize};

/// Barge derives serde and has the type meta flattened in.
/// +kubebuilder:object:root=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Barge {
    #[serde(flatten)]
    pub types: TypeMeta,
    pub metadata: ObjectMeta,
    pub spec: BargeSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BargeSpec {
    pub tons: i32,
    /// Template derives serde and has no marker of a kind: an ordinary struct.
    pub template: Template,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Template {
    pub metadata: ObjectMeta,
    pub tons: i32,
}
