//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

// +kubebuilder:validation:MaxProperties=9

/// A block one blank line above counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    // +kubebuilder:validation:MaxLength=9

    /// The doc.
    // +kubebuilder:validation:MinLength=1
    #[serde(rename = "n")]
    /// +kubebuilder:validation:Pattern=`^a`
    #[allow(dead_code)]
    // +kubebuilder:example=abc
    pub name: String,

    /// Markers of one field do not reach the next.
    pub other: String,
    //+kubebuilder:validation:MaxLength=3
    pub tight: String,
    //    +kubebuilder:validation:MaxLength=4
    pub wide: String,
}
