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
    pub height: i32,
    pub hidden: i32,
    pub taken: String,
    pub ports: Vec<Port>,
    pub encryption: Encryption,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Port {
    pub port: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Encryption {
    pub secret: String,
    pub authority: String,
}
