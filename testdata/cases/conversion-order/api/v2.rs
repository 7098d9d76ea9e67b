//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    pub a: i32,
}

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OvenSpec {
    pub a: i32,
}

#[derive(Clone, Debug)]
pub struct Stove {
    pub metadata: ObjectMeta,
    pub spec: StoveSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoveSpec {
    pub a: i32,
}

