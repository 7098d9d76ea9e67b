// Imported by kgen from tolls.port.policy.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// spec is the desired state.
#[derive(Clone, Debug, PartialEq, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "port.policy.example.com",
    version = "v1alpha1",
    kind = "Toll",
    plural = "tolls",
    singular = "toll",
    status = "TollStatus",
    doc = "Toll is a part of the harbor.",
    derive = "PartialEq",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase")]
pub struct TollSpec {
    /// length in meters.
    // +kubebuilder:validation:Minimum=1
    pub length: i32,

    // +default="port"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
}

/// status is the observed state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TollStatus {
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
