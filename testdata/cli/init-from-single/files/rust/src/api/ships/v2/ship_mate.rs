// Imported by kgen from shipmates.ships.example.org.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

/// ShipMate is the Schema for the shipmate API
// +kubebuilder:subresource:status
// +genclient
#[derive(Clone, Debug, PartialEq)]
pub struct ShipMate {
    pub metadata: ObjectMeta,

    /// spec defines the desired state of ShipMate
    pub spec: ShipMateSpec,

    /// status defines the observed state of ShipMate
    pub status: Option<ShipMateStatus>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShipMateSpec {
    /// foo is an example field of ShipMate. Edit shipmate_types.go to remove/update
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foo: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShipMateStatus {
    /// conditions represent the current state of the ShipMate resource.
    ///
    /// The status of each condition is one of True, False, or Unknown.
    // +listType=map
    // +listMapKey=type
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<Condition>>,
}
