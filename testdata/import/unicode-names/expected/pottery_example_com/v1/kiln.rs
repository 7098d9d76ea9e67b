// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items,
    clippy::doc_nested_refdefs,
    clippy::doc_suspicious_footnotes
)]

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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub größe: Option<String>,
    // +kubebuilder:validation:Format=""
    #[serde(rename = "m²", skip_serializing_if = "Option::is_none")]
    pub m2: Option<i64>,
    #[serde(rename = "½", skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(rename = "а", skip_serializing_if = "Option::is_none")]
    pub field_alt: Option<String>,
    #[serde(rename = "😀", skip_serializing_if = "Option::is_none")]
    pub field_alt_alt: Option<String>,
    #[serde(rename = "名前", skip_serializing_if = "Option::is_none")]
    pub 名前: Option<名前>,
    #[serde(rename = "ändern", skip_serializing_if = "Option::is_none")]
    pub ändern: Option<Ändern>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    // +kubebuilder:validation:Enum="☃";x
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,

    /// A note.[^1]
    ///
    /// - [a]: b
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct 名前 {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ändern {
    #[serde(rename = "é")]
    É(String),
    B(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Unit {
    #[serde(rename = "ns")]
    Ns,
    #[serde(rename = "µs")]
    Us,
    #[serde(rename = "ms")]
    Ms,
    #[serde(rename = "s")]
    S,
}
