// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};
use serde_json::Value;

// +kubebuilder:example={"spec": {"bounded": 5}}
#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    /// Anything, within bounds.
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:validation:XPreserveUnknownFields
    // +kgen:validation:Contents={"maxLength":5,"maxProperties":2,"minItems":1,"minimum":3,"pattern":"^a","required":["name"]}
    pub bounded: Value,

    /// Parameters of a template.
    // +kgen:validation:Contents={"properties":{"labels":{"items":{"description":"Label; with \"quotes\"","properties":{"key":{"minLength":1,"type":"string"},"value":{"default":5,"x-kubernetes-int-or-string":true},"weight":{"nullable":true,"type":"number"}},"required":["key"],"type":"object"},"type":"array","x-kubernetes-list-map-keys":["key"],"x-kubernetes-list-type":"map"}}}
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,

    // +kgen:validation:Contents={"items":{"properties":{"size":{"format":"int32","type":"integer"}},"type":"object"}}
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Value>,
    // +kgen:validation:items:Contents={"additionalProperties":{"type":"string"}}
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    // +kubebuilder:validation:Enum=1;a;null;true;1.5;{"a": 1};[1,"b"]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Value>,
    // +kubebuilder:validation:Enum={["a"], []}
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lists: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<Objects>,
}

// +kubebuilder:validation:Enum={{"size": 1}, {}}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Objects {
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
}
