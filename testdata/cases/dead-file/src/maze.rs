use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "maze.example.org", version = "v1", kind = "Maze")]
pub struct MazeSpec {
    pub depth: i32,
}
