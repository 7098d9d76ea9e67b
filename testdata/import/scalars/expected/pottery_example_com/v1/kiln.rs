// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use k8s_openapi::ByteString;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    /// The name of the kiln.
    // +kubebuilder:validation:MaxLength=63
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:Pattern="^[a-z`\"\\\\]+$"
    pub name: String,

    // +kubebuilder:validation:Maximum=100
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:ExclusiveMaximum=true
    // +kubebuilder:validation:MultipleOf=5
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub small: Option<i32>,
    // +kubebuilder:validation:Maximum=9200000000000000000
    #[serde(skip_serializing_if = "Option::is_none")]
    pub large: Option<i64>,
    // +kubebuilder:validation:Format=uint16
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    // +kubebuilder:validation:Format=uint32
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<i64>,
    // +kgen:allow=dangerous-type
    // +kubebuilder:validation:Minimum=0.00001
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    // +kgen:allow=dangerous-type
    // +kubebuilder:validation:Format=double
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double: Option<f64>,
    // +default=true
    pub active: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    // +kubebuilder:validation:Format=date-time
    // +default="2020-01-01T00:00:00.123456Z"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precise: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<ByteString>,
    // +kubebuilder:validation:Format=ipv4
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}
