use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "maze.example.org", version = "v1", kind = "Maze", validation = root_rule())]
pub struct MazeSpec {
    #[x_kube(validation = Rule::new(format!("self != '{}'", std::env::var("EXIT").unwrap())))]
    pub exit: String,
    #[x_kube(merge_strategy = strategy())]
    pub turns: Vec<String>,
    #[schemars(length(max = std::mem::size_of::<u64>()))]
    pub name: String,
    #[schemars(regex(pattern = pattern()))]
    pub sign: String,
    #[schemars(extend("maxLength" = limit()))]
    pub wall: String,
    #[schemars(transform = shorten)]
    pub path: String,
}

fn root_rule() -> Rule {
    if cfg!(debug_assertions) { Rule::new("true") } else { Rule::new("false") }
}
