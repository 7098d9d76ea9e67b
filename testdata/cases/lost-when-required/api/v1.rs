//! +groupName=kiln.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    // +required
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<i32>,
    // +kubebuilder:validation:Required
    #[serde(default, skip_serializing_if = "is_dull")]
    pub glaze: String,
    // +k8s:required
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shelves: Vec<String>,
    /// The API server fills this one in.
    // +required
    // +kubebuilder:default="clay"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// This one is always written.
    // +required
    pub lid: Option<String>,
}

fn is_dull(glaze: &str) -> bool {
    glaze == "dull"
}
