// Imported by kgen from kilns.pottery.example.com.

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
    #[serde(rename = "podIPs", skip_serializing_if = "Option::is_none")]
    pub pod_ips: Option<Vec<String>>,
    #[serde(rename = "URLMap", skip_serializing_if = "Option::is_none")]
    pub url_map: Option<String>,
    #[serde(rename = "ipv4CIDR", skip_serializing_if = "Option::is_none")]
    pub ipv4_cidr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crate_: Option<String>,
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    #[serde(rename = "x-extra", skip_serializing_if = "Option::is_none")]
    pub x_extra: Option<String>,
    #[serde(rename = "@id", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub _2fa: Option<String>,
    #[serde(rename = "proxyURL", skip_serializing_if = "Option::is_none")]
    pub proxy_url_alt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy_url: Option<String>,
    #[serde(rename = "init_containers", skip_serializing_if = "Option::is_none")]
    pub init_containers_alt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub init_containers: Option<String>,
    #[serde(rename = "☃", skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(rename = "a.b/c", skip_serializing_if = "Option::is_none")]
    pub a_b_c: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#async: Option<Async>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vec: Option<KilnSpecVec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<KilnSpecResult>,
    #[serde(rename = "Ünï", skip_serializing_if = "Option::is_none")]
    pub ünï: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Async {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<AsyncOption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub string: Option<AsyncString>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpecVec {
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpecResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kiln: Option<ResultKiln>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AsyncOption {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AsyncString {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultKiln {
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<i64>,
}
