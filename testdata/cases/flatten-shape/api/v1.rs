//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    #[serde(flatten)]
    pub name: String,
    #[serde(flatten)]
    pub crew: Vec<String>,
    #[serde(flatten)]
    pub side: Side,
    #[serde(flatten)]
    pub tank: Option<Tank>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Side {
    Port,
    Starboard,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tank {
    pub litres: i32,
}
