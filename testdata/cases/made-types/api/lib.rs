//! Types that macros and derives make.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "loom.example.org", version = "v1", kind = "Loom")]
pub struct LoomSpec {
    pub threads: ThreadsFragment,
    pub weave: Weave,
    pub width: <Weft as Measured>::Width,
}

#[derive(Clone, Debug, Fragment)]
pub struct Threads {
    pub count: i32,
}

weaves! {
    Weave => Plain, Twill;
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Weft {
    pub width: i32,
}
