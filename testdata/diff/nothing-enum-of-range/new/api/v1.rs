//! +groupName=tea.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// What a kettle is.
#[derive(Clone, Debug)]
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
}

/// What is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KettleSpec {
    /// How many.
    pub size: i32,
    /// Its color.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=3
    pub color: i32,
    /// Any remark.
    pub remark: Option<String>,
}
