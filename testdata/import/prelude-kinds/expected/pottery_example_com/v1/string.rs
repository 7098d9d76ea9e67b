// Imported by kgen from strings.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use super::shared::Choice;

#[derive(Clone, Debug, PartialEq)]
pub struct String {
    pub metadata: ObjectMeta,
    pub spec: Option<StringSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StringSpec {
    // +nullable
    // +default="blue"
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub glaze: Option<Option<std::string::String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colors: Option<Vec<std::string::String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<std::string::String, std::string::String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    #[serde(rename = "second-name", skip_serializing_if = "Option::is_none")]
    pub second_name: Option<std::string::String>,
}

/// Reads a value that is there, so that `null` differs from an absent field.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
