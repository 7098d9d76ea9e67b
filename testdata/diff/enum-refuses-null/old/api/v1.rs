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
    // +nullable
    // +kubebuilder:validation:Pattern=`^(Red|Green)$`
    pub color: Option<String>,
    /// Any remark.
    pub remark: Option<String>,
}
