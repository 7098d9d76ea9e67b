// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// The desired state.
// +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.size
// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.size
// +kubebuilder:selectablefield:JSONPath=.spec.name
// +kubebuilder:validation:XValidation:rule="self.size < 10",message="too large"
#[derive(Clone, Debug, PartialEq, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Kiln",
    plural = "kilns",
    singular = "kiln",
    namespaced,
    shortname = "ki",
    category = "all",
    status = "KilnStatus",
    doc = "A kiln, with \"quotes\", for pots.",
    derive = "PartialEq",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    // +kubebuilder:validation:MaxLength=20
    pub name: String,
    // +kubebuilder:validation:Maximum=100
    // +default=1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}
