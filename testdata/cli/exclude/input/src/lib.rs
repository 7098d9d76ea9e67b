use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! kind {
    ($spec:ident, $kind:literal) => {
        #[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
        #[kube(group = "maze.example.org", version = "v1", kind = $kind)]
        pub struct $spec {
            pub depth: i32,
        }
    };
}

kind!(MazeSpec, "Maze");

kind! {
    LabyrinthSpec,
    "Labyrinth"
}
