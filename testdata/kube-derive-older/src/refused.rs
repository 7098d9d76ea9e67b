//! Types whose schemas in schemars 0.8 an API server refuses, or that refuse values of the type. kgen writes another form.

use std::num::NonZeroI8;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Brick has them all.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.org", version = "v1", kind = "Brick", namespaced)]
#[kube(doc = "# Bricks\n\nOf clay\nand straw.")]
pub struct BrickSpec {
    pub layer: NonZeroI8,
    pub anything: Option<serde_json::Value>,
    pub strict: Strict,
    pub renamed: Renamed,
}

/// Fields that it does not know are mistakes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Strict {
    Wall { height: i32 },
    Arch { width: i32 },
}

/// The names of fields change.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all_fields = "camelCase")]
pub enum Renamed {
    Wall { first_row: i32 },
    Arch { key_stone: i32 },
}
