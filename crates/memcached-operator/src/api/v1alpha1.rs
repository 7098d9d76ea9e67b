//! The first version of the API. `config/crd` is made from this file, as kube would make it at run time; a test compares the
//! two.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The port of memcached, where a Memcached names none.
pub const DEFAULT_PORT: i32 = 11211;

// ANCHOR: spec
/// What is wanted.
#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[kube(
    group = "cache.example.com",
    version = "v1alpha1",
    kind = "Memcached",
    namespaced,
    status = "MemcachedStatus",
    derive = "PartialEq",
    doc = "Servers of memcached that are kept running as it is described here.",
    printcolumn = r#"{"name":"Size","type":"integer","jsonPath":".spec.size"}"#,
    printcolumn = r#"{"name":"Available","type":"string","jsonPath":".status.conditions[?(@.type==\"Available\")].status"}"#,
    printcolumn = r#"{"name":"Degraded","type":"string","jsonPath":".status.conditions[?(@.type==\"Degraded\")].status"}"#,
    printcolumn = r#"{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct MemcachedSpec {
    /// How many servers there are.
    // The default of serde is what code sees; this one is what the API server stores.
    // +kubebuilder:default=1
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 5))]
    pub size: i32,

    /// The port on which the servers listen; 11211 if it is left out.
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

/// What was last seen of the servers.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemcachedStatus {
    /// The names of the pods, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<String>,

    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// `Available` says whether as many servers are available as are wanted, `Degraded` whether something stands in the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
}

fn one() -> i32 {
    1
}
