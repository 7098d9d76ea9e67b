//! +groupName=example.com
//! The third version.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A boat.
// +kubebuilder:subresource:status
// +kgen:conversion:webhook
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BoatSpec {
    /// The number of replicas.
    pub replicas: i32,
    /// The memory in bytes.
    pub memory_bytes: i64,
    /// The host.
    // +kgen:conversion:from=host
    pub hostname: String,
    /// The port.
    pub port: u16,
    /// The way of updating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// The ports.
    // +listType=map
    // +listMapKey=name
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<Port>,
    /// The zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
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
    Canary,
}

/// A port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Port {
    /// The name.
    pub name: String,
    /// The number.
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_replicas: Option<i32>,
}
