// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
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
    // +default="Red"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<Vec<Other>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Color {
    Red,
    #[serde(rename = "dark-blue")]
    DarkBlue,
    /// Any other value.
    #[serde(untagged)]
    Other(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Other {
    Other,
    #[serde(rename = "red")]
    Red,
    /// Any other value.
    #[serde(untagged)]
    AnyOther(String),
}
