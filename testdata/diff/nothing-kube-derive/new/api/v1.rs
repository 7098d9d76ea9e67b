use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is wanted.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "tea.example.org", version = "v1", kind = "Kettle", namespaced, status = "KettleStatus", shortname = "ke")]
#[serde(rename_all = "camelCase")]
pub struct KettleSpec {
    /// How many.
    pub size: i32,
    /// Any remark.
    pub remark: Option<String>,
}

/// What was seen.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KettleStatus {
    /// Ready.
    pub ready: Option<i32>,
}
