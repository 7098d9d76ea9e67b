#[derive(kube::CustomResource, serde::Deserialize)]
#[kube(group = "maze.example.org", version = "v1", kind = "Pond")]
pub struct PondSpec {
    pub depth: i32,
}

#[derive(kube::CustomResource, serde::Deserialize)]
#[kube(group = "maze.example.org", version = "v1", kind = "Lake")]
pub struct LakeSpec {
    pub depth: i32,
}
