//! +groupName=example.com
//! The second version.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A boat.
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
#[derive(Clone, Debug, PartialEq)]
pub struct Boat {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: BoatSpec,
    /// The observed state.
    pub status: Option<BoatStatus>,
}

/// The desired state.
// +kgen:conversion:dropped=note
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BoatSpec {
    /// The number of replicas.
    // +kgen:conversion:from=size
    pub replicas: i32,
    /// The memory in bytes.
    // +kgen:conversion:from=memory
    pub memory_bytes: i64,
    /// The host.
    // +kgen:conversion:from=address
    pub host: String,
    /// The port.
    // +kgen:conversion:from=address
    pub port: u16,
    /// The way of updating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// The ports.
    // +listType=map
    // +listMapKey=name
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<Port>,
    /// The priority.
    // +kubebuilder:default=5
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// The way of updating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Strategy {
    /// One after the other.
    Rolling,
    /// All at once.
    Recreate,
    /// A few first.
    // +kgen:conversion:as=Rolling
    Canary,
}

/// A port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Port {
    /// The name.
    pub name: String,
    /// The number.
    // +kgen:conversion:from=port
    pub number: i32,
    /// The protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
}

/// The observed state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BoatStatus {
    /// The number of ready replicas.
    // +kgen:conversion:from=replicas
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_replicas: Option<i32>,
}
