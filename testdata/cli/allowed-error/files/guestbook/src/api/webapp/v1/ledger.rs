//! The kind `Ledger`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

/// A Ledger. Describe it here; `kubectl explain ledgers` shows this text.
// +genclient
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=`.metadata.creationTimestamp`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: LedgerSpec,
    /// The observed state.
    pub status: Option<LedgerStatus>,
}

/// The desired state of a [`Ledger`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerSpec {
    /// An example of a field. Replace it with your own, and run `kgen generate`.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=10
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}

/// The observed state of a [`Ledger`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerStatus {
    /// The `metadata.generation` for which the controller computed this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// The conditions. `Ready` is true if the actual state matches the spec.
    // +listType=map
    // +listMapKey=type
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}
