//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

use super::engine::*;
use super::rudder::*;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub fuel: Fuel,
    pub setting: Setting,
    pub settings: Vec<Setting>,
}
