//! +groupName=post.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Letter {
    pub metadata: ObjectMeta,
    pub spec: LetterSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LetterSpec {
    /// +kubebuilder:validation:Format=emial
    pub sender: String,
    /// +kubebuilder:validation:items:Format=url
    pub links: Vec<String>,
    /// Written in two places, told of once.
    pub first: Stamp,
    pub second: Stamp,
    /// Dashes do not count.
    /// +kubebuilder:validation:Format=datetime
    pub sent: String,
    /// A format of one's own is nobody else's business.
    /// +kubebuilder:validation:Format=postal-code
    pub code: String,
    /// +kubebuilder:validation:Format=password
    pub secret: String,
}

/// +kubebuilder:validation:Format=host-nam
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stamp(pub String);
