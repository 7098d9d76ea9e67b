//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    #[serde(rename = "on")]
    pub a: i32,
    #[serde(rename = "y")]
    pub b: i32,
    #[serde(rename = "1")]
    pub c: i32,
    #[serde(rename = "null")]
    pub d: i32,
    #[serde(rename = "url10")]
    pub e: i32,
    #[serde(rename = "url2")]
    pub f: i32,
    #[serde(rename = "Upper")]
    pub g: i32,
    #[serde(rename = "a-b")]
    pub h: i32,
    #[serde(rename = "a_b")]
    pub i: i32,
    #[serde(rename = "ab")]
    pub j: i32,
    #[serde(rename = "$ref")]
    pub k: i32,
}
