// Imported by kgen from docks.port.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use kube::CustomResource;
use serde::{Deserialize, Serialize};

use super::shared::Side;

/// spec is the desired state.
#[derive(Clone, Debug, PartialEq, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "port.example.com",
    version = "v1",
    kind = "Dock",
    plural = "docks",
    singular = "dock",
    namespaced,
    status = "DockStatus",
    doc = "Dock is a part of the harbor.",
    derive = "PartialEq",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase")]
pub struct DockSpec {
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
pub struct DockStatus {
    // +listType=set
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ships: Option<Vec<String>>,
}
