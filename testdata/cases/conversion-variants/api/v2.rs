//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:storageversion
// +kgen:conversion:webhook
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    pub color: Color,
}

// +kgen:conversion:droppedVariant:name=Bleu,as=Red
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Color {
    // +kgen:conversion:as=Green
    Red,
    // +kgen:conversion:from=Gren
    Forest,
    Yellow,
    // +kgen:conversion:as=Purple
    Violet,
}
