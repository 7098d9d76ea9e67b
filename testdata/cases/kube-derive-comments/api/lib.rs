//! Comments that were translated from Go together with the types. kube-derive takes no notice of markers: what kgen cannot use
//! is text, as for kube-derive, and a warning.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A lighthouse.
/// +operator-sdk:gen-csv:customresourcedefinitions.displayName="Lighthouse"
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "coast.example.com", version = "v1", kind = "Lighthouse", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct LighthouseSpec {
    /// How high it is.
    /// +kubebuilder:validation:pattern="^[0-9]+m$"
    pub height: String,
    /// How it shines.
    // +kubebuilder:something
    // +optional
    // +optional
    pub pattern: Option<String>,
    /// Who keeps it.
    // +optional
    pub keeper: String,
    /// What it is called.
    /// +kubebuilder:validation:Minimum=1
    pub name: String,
    /// When it was built.
    /// +kubebuilder:printcolumn:name=Year
    pub year: i32, // +required
    /// A marker that can be used is used.
    /// +kubebuilder:validation:MaxLength=10
    pub colour: String,
}
