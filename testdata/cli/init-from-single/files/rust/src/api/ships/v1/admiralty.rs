// Imported by kgen from admiraltys.ships.example.org.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

/// Admiralty is the Schema for the admiralty API
// +kubebuilder:resource:path=admiraltys,scope=Cluster
// +kubebuilder:subresource:status
// +genclient
// +genclient:nonNamespaced
#[derive(Clone, Debug, PartialEq)]
pub struct Admiralty {
    pub metadata: ObjectMeta,

    /// spec defines the desired state of Admiralty
    pub spec: AdmiraltySpec,

    /// status defines the observed state of Admiralty
    pub status: Option<AdmiraltyStatus>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmiraltySpec {
    /// foo is an example field of Admiralty. Edit admiralty_types.go to remove/update
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foo: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmiraltyStatus {
    /// conditions represent the current state of the Admiralty resource.
    ///
    /// The status of each condition is one of True, False, or Unknown.
    // +listType=map
    // +listMapKey=type
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<Condition>>,
}
