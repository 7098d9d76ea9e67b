//! +groupName=example.com
//! The second version.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A widget.
// +kubebuilder:storageversion
// +kgen:conversion:webhook
#[derive(Clone, Debug, PartialEq)]
pub struct Widget {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// The wish of the user.
    pub spec: WidgetSpec,
}

/// The wish of the user.
// +kgen:conversion:dropped=note
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WidgetSpec {
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
    pub strategy: Strategy,
    /// Encryption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<Tls>,
    /// The ports.
    // +listType=map
    // +listMapKey=name
    pub ports: Vec<Port>,
    /// The priority.
    // +kubebuilder:default=5
    pub priority: i32,
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

/// Encryption.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tls {
    /// The name of a secret.
    // +kgen:conversion:from=.spec.tlsSecret
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// The name of an authority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<String>,
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
