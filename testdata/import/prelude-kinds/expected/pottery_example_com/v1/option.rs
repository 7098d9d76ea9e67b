// Imported by kgen from options.pottery.example.com.

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
pub struct Option {
    pub metadata: ObjectMeta,
    pub spec: std::option::Option<OptionSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionSpec {
    // +nullable
    // +default="blue"
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "std::option::Option::is_none"
    )]
    pub glaze: std::option::Option<std::option::Option<String>>,
    #[serde(skip_serializing_if = "std::option::Option::is_none")]
    pub colors: std::option::Option<Vec<String>>,
    #[serde(skip_serializing_if = "std::option::Option::is_none")]
    pub labels: std::option::Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "std::option::Option::is_none")]
    pub choice: std::option::Option<Choice>,
    #[serde(
        rename = "second-name",
        skip_serializing_if = "std::option::Option::is_none"
    )]
    pub second_name: std::option::Option<String>,
}

/// Reads a value that is there, so that `null` differs from an absent field.
fn present<'de, D, T>(deserializer: D) -> Result<std::option::Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
