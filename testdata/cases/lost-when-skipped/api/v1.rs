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
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crew: Vec<String>,
    /// Can be read back when absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ropes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
}

/// A default of the container counts for each field.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Engine {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub maker: String,
}
