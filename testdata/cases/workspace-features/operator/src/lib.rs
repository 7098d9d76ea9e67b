use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Its types are in a package whose features this one asks for.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "maze.example.org", version = "v1", kind = "Maze")]
pub struct MazeSpec {
    pub data: types::data::Data,
    pub deep: types::deep::Deep,
    pub weak: types::weak::Weak,
}
