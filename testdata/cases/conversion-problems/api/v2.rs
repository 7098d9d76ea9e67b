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

// +kgen:conversion:dropped=hight
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    pub replicas: i32,
    // +kgen:conversion:from=heigth
    pub depth: i32,
    pub hidden: Hidden,
    pub taken: String,
    // +kgen:conversion:from=taken
    pub again: String,
    pub ports: Vec<Port>,
    // +kgen:conversion:from=.spec.encryption.secret
    pub secret: String,
    // +kgen:conversion:from=.spec.encription.authority
    pub authority: String,
    // +kgen:conversion:from=.spec.ports.port
    pub first_port: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Port {
    // +kgen:conversion:from=.spec.size
    pub port: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hidden(String);
