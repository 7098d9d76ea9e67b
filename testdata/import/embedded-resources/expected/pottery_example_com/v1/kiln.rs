// Imported by kgen from kilns.pottery.example.com.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    // +kubebuilder:validation:XEmbeddedResource
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawExtension>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    // +kubebuilder:validation:items:XEmbeddedResource
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<RawExtension>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bare: Option<Bare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
}

// +kubebuilder:validation:XEmbeddedResource
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:validation:Type=object
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ObjectMeta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<Spec>,
}

// +kubebuilder:validation:XEmbeddedResource
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bare {
    // +kubebuilder:validation:Schemaless
    pub api_version: String,
    // +kubebuilder:validation:Schemaless
    pub kind: String,
    // +kubebuilder:validation:Schemaless
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ObjectMeta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<BTreeMap<String, String>>,
}

// +kubebuilder:validation:XEmbeddedResource
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Open {
    // +kubebuilder:validation:Schemaless
    pub api_version: String,
    // +kubebuilder:validation:Schemaless
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ObjectMeta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    #[serde(flatten)]
    pub other: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spec {
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    Mug,
    Bowl,
}
