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
    pub wide: i128,
    pub unsigned: u128,
    pub pair: (String, i32),
    pub nothing: (),
    pub unit: Unit,
    pub tuple: Both,
    pub function: fn(i32) -> i32,
    pub object: Box<dyn std::fmt::Debug>,
    pub pointer: *const i32,
    pub result: Result<String, String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Both(String, i32);
