//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    // +k8s:unionDiscriminator
    pub kind: Drive,
    // +k8s:unionMember
    pub wind: Option<i32>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drive {
    Wind,
}
