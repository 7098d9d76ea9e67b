//! +groupName=pottery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Kiln burns pots.
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

/// KilnSpec is what the potter wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    /// Degrees to reach.
    // +kgen:allow=marker-lookalike
    // + kubebuilder:validation:Minimum=1
    pub heat: i32,
}

/// Tile covers a wall.
#[derive(Clone, Debug)]
pub struct Tile {
    pub metadata: ObjectMeta,
    pub spec: TileSpec,
}

/// TileSpec is what the wall needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TileSpec {
    /// Colour of the glaze.
    // +kgen:allow=deprecated-marker
    pub colour: String,
}
