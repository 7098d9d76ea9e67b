// Imported by kgen from tugs.ships.example.org.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

/// Tug is the Schema for the tug API
// +kubebuilder:subresource:status
// +genclient
#[derive(Clone, Debug, PartialEq)]
pub struct Tug {
    pub metadata: ObjectMeta,

    /// spec defines the desired state of Tug
    pub spec: TugSpec,

    /// status defines the observed state of Tug
    pub status: Option<TugStatus>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TugSpec {
    /// foo is an example field of Tug. Edit tug_types.go to remove/update
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foo: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TugStatus {
    /// conditions represent the current state of the Tug resource.
    ///
    /// The status of each condition is one of True, False, or Unknown.
    // +listType=map
    // +listMapKey=type
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<Condition>>,
}
