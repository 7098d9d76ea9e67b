//! +groupName=example.com
//! The first version.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A boat.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BoatSpec {
    /// The number of replicas.
    pub size: i32,
    /// The memory as text, such as `1Gi`.
    pub memory: String,
    /// Host and port.
    pub address: String,
    /// The way of updating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// A note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The ports.
    // +listType=map
    // +listMapKey=name
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<Port>,
}

/// The way of updating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Strategy {
    /// One after the other.
    Rolling,
    /// All at once.
    Recreate,
}

/// A port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Port {
    /// The name.
    pub name: String,
    /// The number.
    pub port: i32,
}

/// The observed state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoatStatus {
    /// The number of replicas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
}
