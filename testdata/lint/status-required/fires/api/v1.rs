//! +groupName=tea.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kettle.
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
    pub status: Option<KettleStatus>,
}

/// What is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KettleSpec {
    /// How many.
    pub size: i32,
}

/// What was seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KettleStatus {
    /// How many are ready.
    pub ready: i32,
}
