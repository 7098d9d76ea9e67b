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
use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anything: Option<Value>,
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:validation:XPreserveUnknownFields
    pub wanted: Value,
    pub wanted_null: Value,
    pub values: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub described: Option<Described>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<Map<String, Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<BTreeMap<String, Value>>,
    // +kubebuilder:validation:XPreserveUnknownFields
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_list: Option<Vec<String>>,
    // +kubebuilder:validation:XPreserveUnknownFields
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_map: Option<BTreeMap<String, String>>,
    // +kubebuilder:validation:XPreserveUnknownFields
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty: Option<Empty>,
    // +kgen:validation:AllOf=[{"required":["missing"]}]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<Map<String, Value>>,

    /// x
    // +default={"a":1}
    // +kgen:description="x "
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_required: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Described {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    #[serde(flatten)]
    pub other_fields: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Empty {}
