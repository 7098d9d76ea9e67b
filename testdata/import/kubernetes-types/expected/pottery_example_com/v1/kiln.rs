// Imported by kgen from kilns.pottery.example.com.

// Descriptions are copied as their authors wrote them.
#![allow(
    rustdoc::all,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items
)]

use k8s_openapi::api::core::v1::{
    ConfigMapKeySelector, HTTPHeader, LocalObjectReference, SecretKeySelector, Toleration,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector, ObjectMeta};
use serde::{Deserialize, Serialize};

// +kubebuilder:subresource:status
#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
    pub status: Option<KilnStatus>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    /// Which pots belong to the kiln.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,

    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,

    /// Selects a key of a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<SecretKeySelector>,

    /// Selects a key of a ConfigMap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<ConfigMapKeySelector>,

    // +kubebuilder:validation:MaxItems=5
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerations: Option<Vec<Toleration>>,

    /// Two strings that are no header, although they look like one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<Pair>,

    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_headers: Option<Vec<HTTPHeader>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnStatus {
    // +listType=map
    // +listMapKey=type
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<Condition>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pair {
    pub name: String,
    pub value: String,
}
