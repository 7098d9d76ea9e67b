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
    /// How many.
    pub size: i32,
    /// The lid.
    pub lid: Part,
    /// The handle.
    pub handle: Part,
    /// Other parts.
    // +listType=atomic
    pub others: Vec<Part>,
}

/// A part of a kettle.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Its name.
    pub name: String,
}

/// A cup.
pub struct Cup {
    pub metadata: ObjectMeta,
    pub spec: CupSpec,
}

/// What is wanted.
#[derive(Serialize, Deserialize)]
pub struct CupSpec {
    /// Its volume.
    pub volume: i32,
}
