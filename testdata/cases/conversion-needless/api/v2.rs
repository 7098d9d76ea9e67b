//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use super::shared::Reference;

// +kgen:conversion:webhook
// +kgen:conversion:previous=v1
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

// +kgen:conversion:dropped=size
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    // +kgen:conversion:from=size
    pub size: i32,
    pub reference: Reference,
}

// +kgen:conversion:webhook
#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}
