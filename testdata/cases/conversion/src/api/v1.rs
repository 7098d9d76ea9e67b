//! +groupName=example.com
//! The first version.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A widget.
#[derive(Clone, Debug, PartialEq)]
pub struct Widget {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// The wish of the user.
    pub spec: WidgetSpec,
}

/// The wish of the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WidgetSpec {
    /// The number of replicas.
    pub size: i32,
    /// The memory as text.
    pub memory: String,
    /// Host and port.
    pub address: String,
    /// The way of updating.
    pub strategy: Strategy,
    /// A note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The name of a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls_secret: Option<String>,
    /// The ports.
    // +listType=map
    // +listMapKey=name
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
