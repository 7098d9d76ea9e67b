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
    pub size: i32,
    pub secret: String,
    pub minutes: Minutes,
    pub level: i32,
    pub inner: Inner,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inner {
    pub host: String,
    pub port: i32,
    pub part_1: i32,
    pub part_2: i32,
    pub part_3: i32,
    pub part_4: i32,
    pub part_5: i32,
    pub part_6: i32,
    pub part_7: i32,
    pub part_8: i32,
    pub part_9: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Minutes(i64);
