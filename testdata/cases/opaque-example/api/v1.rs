//! +groupName=kiln.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct KilnSpec {
    #[schemars(example = std::env::var("KILN").unwrap())]
    pub name: String,
    #[schemars(example = 1 + 2)]
    pub shelves: i32,
}
