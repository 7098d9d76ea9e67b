//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// What burns.
    pub fuel: Fuel,
    pub spare: Option<Fuel>,
    #[serde(default)]
    pub known: Vec<Fuel>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Fuel {
    Wood,
    #[serde(rename = "GAS")]
    Gas,
    /// A fuel of a later version.
    #[serde(untagged)]
    Other(String),
}
