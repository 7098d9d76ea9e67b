//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TugSpec {
    pub home_port: String,
    #[serde(rename = "homePort")]
    pub port: String,
    /// A name in a flattened struct clashes as well.
    pub fuel: i32,
    #[serde(flatten)]
    pub tank: Tank,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tank {
    pub fuel: i32,
    pub litres: i32,
}
