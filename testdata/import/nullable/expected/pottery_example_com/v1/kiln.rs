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
    // +nullable
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optional: Option<String>,
    // +required
    // +nullable
    pub required: Option<String>,
    // +nullable
    // +default="a"
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub defaulted: Option<Option<String>>,
    // +kubebuilder:validation:Enum=a;b
    // +nullable
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    // +kubebuilder:validation:Enum=a;null
    // +nullable
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice_with_null: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<Option<String>>>,
    // +k8s:eachVal=+kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<BTreeMap<String, Option<i64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<Vec<Option<KilnSpecObject>>>,
    // +nullable
    // +default={"a":null}
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub object: Option<Option<Object>>,
    // +kubebuilder:validation:items:Enum=x;true
    // +kgen:allow=invalid-enum-value
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Option<String>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Object {
    // +nullable
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpecObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
}

/// Reads a value that is there, so that `null` differs from an absent field.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
