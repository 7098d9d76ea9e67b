// Imported by kgen from berths.port.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Berth is a part of the harbor.
// +kubebuilder:subresource:status
// +genclient
#[derive(Clone, Debug, PartialEq)]
pub struct Berth {
    pub metadata: ObjectMeta,

    /// spec is the desired state.
    pub spec: BerthSpec,

    /// status is the observed state.
    pub status: Option<BerthStatus>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BerthSpec {
    /// length in meters.
    // +kubebuilder:validation:Minimum=1
    pub length: i32,

    // +default="port"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BerthStatus {
    // +listType=set
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ships: Option<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Side {
    #[serde(rename = "port")]
    Port,
    #[serde(rename = "starboard")]
    Starboard,
}
