//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub kept: i32,
    #[serde(skip)]
    pub skipped: NotEvenSerde,
    #[serde(skip_deserializing)]
    pub not_read: i32,
    /// Write-only: still in the schema.
    #[serde(default, skip_serializing)]
    pub not_written: i32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub left_out: i32,
}

pub struct NotEvenSerde(std::sync::mpsc::Sender<i32>);
