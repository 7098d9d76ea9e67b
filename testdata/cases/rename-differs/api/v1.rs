//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase", deserialize = "snake_case"))]
pub struct TugSpec {
    pub home_port: String,
    /// The same name in both directions.
    pub name: String,
    pub engine: Engine,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    #[serde(rename(serialize = "rpm", deserialize = "turns"))]
    pub speed: i32,
    #[serde(rename(serialize = "oil", deserialize = "oil"))]
    pub oil_level: i32,
    #[serde(rename(deserialize = "size"))]
    pub litres: i32,
}
