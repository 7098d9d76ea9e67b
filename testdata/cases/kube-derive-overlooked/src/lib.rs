//! What kube-derive does not look at is a warning, for a project that has its definitions already.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use validator::Validate;

const SHORTEST: u64 = 2;

/// No kind: nothing calls it one, nothing names a group, and the kinds here are written otherwise.
pub struct Seen {
    pub metadata: ObjectMeta,
    pub count: u32,
}

/// Its crate is not there; for what is no kind, nobody has to know.
pub struct Noted {
    pub metadata: Labels,
}

type Labels = elsewhere::Metadata;

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema, Validate)]
#[kube(
    group = "ferry.example.org",
    version = "v1",
    kind = "Crossing",
    status = "CrossingStatus",
    printcolumn = r#"{"name": "Pier", "type": "string", "jsonPath": ".spec.pier"}"#,
    scale = r#"{"specReplicasPath": ".spec.boats", "statusReplicasPath": ".status.boats"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct CrossingSpec {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stops: Vec<String>,
    #[serde(rename(serialize = "from", deserialize = "origin"))]
    pub origin: String,
    pub fare: Fare,
    pub berths: BTreeMap<u16, String>,
    #[validate(length(min = "SHORTEST", max = 30))]
    pub captain: String,
    pub depth: Depth,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Fare {
    pub cents: u32,
}

impl<'de> Deserialize<'de> for Fare {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(|cents| Self { cents })
    }
}

/// schemars 0.8 sees the fields.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "f64")]
pub struct Depth {
    pub metres: u8,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CrossingStatus {
    pub boats: String,
}
