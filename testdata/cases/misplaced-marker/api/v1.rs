//! +groupName=harbor.example.org
//! +kubebuilder:validation:MaxLength=5
//! +optional

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// +kubebuilder:validation:Optional
/// +nullable
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    /// +kubebuilder:subresource:status
    pub spec: TugSpec,
}

/// +kubebuilder:resource:shortName=t
/// +kubebuilder:default={}
/// +kubebuilder:validation:Schemaless
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    /// +groupName=harbor.example.org
    pub name: String,
    /// +kubebuilder:validation:AtMostOneOf=a;b
    pub engine: Option<String>,
    /// +k8s:enum
    pub flag: Side,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Side {
    /// +optional
    Port,
    Starboard,
}

/// +kubebuilder:validation:MaxLength=5
pub fn lower() {}

/// +genclient
pub const TUGS: i32 = 4;
