//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use super::shared::Reference;

// +kubebuilder:storageversion
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    // +kgen:conversion:custom
    pub size: i32,
    pub reference: Reference,
}

