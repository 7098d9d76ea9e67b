//! +groupName=tea.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

/// A kettle that boils water.
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
    pub status: Option<KettleStatus>,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KettleSpec {
    /// Number of pots.
    // +kubebuilder:validation:Minimum=1
    pub replicas: i32,
    /// Secret with the recipe.
    #[serde(default)]
    pub recipe_secret_name: String,
    /// Whether the kettle whistles.
    #[serde(default)]
    pub loud: bool,
}

/// The observed state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KettleStatus {
    /// The conditions.
    // +listType=map
    // +listMapKey=type
    #[serde(default)]
    pub conditions: Vec<Condition>,
}
