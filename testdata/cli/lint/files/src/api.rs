//! +groupName=tea.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kettle.
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
}

/// What is wanted.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KettleSpec {
    /// Its color.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    pub size: i32,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part.
#[derive(Serialize, Deserialize)]
pub struct Part {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}
