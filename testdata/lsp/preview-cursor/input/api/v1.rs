//! +groupName=example.com
//! +versionName=v1

use serde::{Deserialize, Serialize};

/// A kiln.
// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=`.spec.size`
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    pub spec: KilnSpec,
}

/// What the user wants.
// +kubebuilder:validation:XValidation:rule="self.size > 0"
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    /// How many tiles fit.
    // +kubebuilder:validation:Minimum=1
    pub size: i32,
    // +optional
    #[serde(default)]
    // +listType=map
    // +listMapKey=name
    pub max_tiles: Vec<Tile>,
    pub inline: Option<String>,
    pub from_file: Option<String>,
}

/// A tile.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tile {
    // +kubebuilder:validation:MaxLength=63
    pub name: String,
}
