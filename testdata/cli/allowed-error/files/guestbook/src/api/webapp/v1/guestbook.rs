//! The kind `Guestbook`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

/// A Guestbook. Describe it here; `kubectl explain guestbooks` shows this text.
// +genclient
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=`.metadata.creationTimestamp`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guestbook {
    /// The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: GuestbookSpec,
    /// The observed state.
    // +kgen:allow=required-status
    pub status: GuestbookStatus,
}

/// The desired state of a [`Guestbook`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestbookSpec {
    /// An example of a field. Replace it with your own, and run `kgen generate`.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=10
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}

/// The observed state of a [`Guestbook`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuestbookStatus {
    /// The `metadata.generation` for which the controller computed this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// The conditions. `Ready` is true if the actual state matches the spec.
    // +listType=map
    // +listMapKey=type
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}
