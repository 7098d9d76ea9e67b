// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    // +kubebuilder:validation:MaxItems=8
    // +listType=set
    // +kubebuilder:validation:items:MaxLength=5
    // +kubebuilder:validation:items:Pattern="^a"
    // +kgen:items:description="One name."
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    // +listType=map
    // +listMapKey=port
    // +listMapKey=protocol
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ports: Option<Vec<Port>>,
    // +kubebuilder:validation:items:MaxItems=2
    // +k8s:eachVal=+listType=atomic
    // +k8s:eachVal=+kubebuilder:validation:items:Minimum=1
    // +k8s:eachVal=+kubebuilder:validation:items:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Vec<Vec<i64>>>,
    // +kubebuilder:validation:MaxProperties=3
    // +mapType=granular
    // +k8s:eachVal=+kubebuilder:validation:MaxLength=63
    // +k8s:eachVal=+kgen:description="A value. "
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<String, String>>,
    // +k8s:eachVal=+kubebuilder:validation:MinItems=1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nested: Option<BTreeMap<String, Vec<Nested>>>,
    // +k8s:eachVal=+k8s:eachVal=+kubebuilder:validation:MinLength=1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep: Option<BTreeMap<String, BTreeMap<String, String>>>,
    // +kgen:allow=dangerous-type
    // +kubebuilder:validation:items:Maximum=1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratios: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atomic: Option<Atomic>,
    // +default=["a"]
    // +k8s:eachVal=+default="x"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_default: Option<Vec<String>>,
}

// +mapType=atomic
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Atomic {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
}

/// Port is a port of the kiln.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Port {
    pub port: i32,
    // +default="TCP"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Nested {
    #[serde(rename = "a")]
    A,
    #[serde(rename = "b")]
    B,
}
