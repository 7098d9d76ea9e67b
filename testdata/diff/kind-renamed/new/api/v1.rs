//! +groupName=tea.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// What a pot is.
// +kubebuilder:resource:path=kettles,singular=kettle
#[derive(Clone, Debug)]
pub struct Pot {
    pub metadata: ObjectMeta,
    pub spec: PotSpec,
}

/// What is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PotSpec {
    /// How many.
    pub size: i32,
    /// Any remark.
    pub remark: Option<String>,
}
