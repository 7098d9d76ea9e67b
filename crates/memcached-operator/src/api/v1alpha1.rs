//! The first version of the API. kgen generates `config/crd` from this file. A test compares the CRD with the one that kube
//! builds at run time.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The default port of memcached.
pub const DEFAULT_PORT: i32 = 11211;

// ANCHOR: spec
/// The desired state.
#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[kube(
    group = "cache.example.com",
    version = "v1alpha1",
    kind = "Memcached",
    namespaced,
    status = "MemcachedStatus",
    derive = "PartialEq",
    doc = "Memcached servers that the operator manages.",
    printcolumn = r#"{"name":"Size","type":"integer","jsonPath":".spec.size"}"#,
    printcolumn = r#"{"name":"Available","type":"string","jsonPath":".status.conditions[?(@.type==\"Available\")].status"}"#,
    printcolumn = r#"{"name":"Degraded","type":"string","jsonPath":".status.conditions[?(@.type==\"Degraded\")].status"}"#,
    printcolumn = r#"{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct MemcachedSpec {
    /// The number of servers.
    // serde's default is for code; the API server stores this one.
    // +kubebuilder:default=1
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 5))]
    pub size: i32,

    /// The port of the servers; 11211 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65535))]
    pub container_port: Option<i32>,
}
// ANCHOR_END: spec

impl MemcachedSpec {
    /// Returns the port on which the servers listen.
    #[must_use]
    pub fn port(&self) -> i32 {
        self.container_port.unwrap_or(DEFAULT_PORT)
    }
}

/// The observed state.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemcachedStatus {
    /// The names of the pods, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<String>,

    /// The `metadata.generation` for which the operator computed this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// The conditions. `Available` is true if the desired number of servers is available, `Degraded` if there is a problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
}

fn one() -> i32 {
    1
}
