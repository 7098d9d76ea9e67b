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
    /// SecretRef names a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<SecretRef>,

    /// SecretRef names a secret.
    // +default={"name":"a"}
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<SecretRef>,

    /// Another text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub third: Option<Third>,

    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<SecretRef>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<Inner>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outer: Option<Outer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
}

/// SecretRef names a secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SecretRef {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Third {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inner {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<InnerTemplate>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<OuterTemplate>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InnerTemplate {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OuterTemplate {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
}
