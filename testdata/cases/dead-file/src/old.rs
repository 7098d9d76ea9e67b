use crate::gone::Wall;

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "maze.example.org", version = "v0", kind = "Old")]
pub struct OldSpec {
    pub wall: Wall,
}
