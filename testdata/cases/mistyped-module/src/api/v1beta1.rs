use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

pub struct Maze {
    pub metadata: ObjectMeta,
    pub spec: MazeSpec,
}

#[derive(Serialize, Deserialize)]
pub struct MazeSpec {
    pub walls: i32,
}
