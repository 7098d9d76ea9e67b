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
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<String>>,
    // +kubebuilder:validation:Maximum=9999999999
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<i32>,
    // +kubebuilder:validation:Maximum=3
    // +kubebuilder:validation:Minimum=5
    // +kubebuilder:validation:Format=""
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty: Option<i64>,
    // +kubebuilder:example=text
    // +kgen:allow=invalid-example
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Vec<String>>,
    // +default=false
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<bool>,
    // +kubebuilder:validation:MaxLength=0
    // +kubebuilder:validation:MinLength=0
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero: Option<String>,
}
