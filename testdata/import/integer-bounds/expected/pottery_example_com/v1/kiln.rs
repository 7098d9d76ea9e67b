// Imported by kgen from kilns.pottery.example.com.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    // +kubebuilder:validation:Maximum=9.5
    // +kubebuilder:validation:Minimum=0.5
    // +kubebuilder:validation:Format=""
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<i64>,
    // +kubebuilder:validation:Maximum=100000000000000000000
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<i64>,
    // +kubebuilder:validation:Maximum=18446744073709552000
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:Format=uint64
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsigned: Option<i64>,
    // +kubebuilder:validation:MultipleOf=0.5
    // +kubebuilder:validation:Format=""
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<i64>,
    // +kubebuilder:validation:items:Maximum=2.5
    // +kubebuilder:validation:items:Format=""
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<i64>>,
    // +k8s:eachVal=+kubebuilder:validation:Minimum=-0.5
    // +k8s:eachVal=+kubebuilder:validation:Format=""
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<BTreeMap<String, i64>>,
    // +kubebuilder:validation:Maximum=3000000000
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub small: Option<i32>,
    // +kgen:allow=dangerous-type
    // +kubebuilder:validation:Maximum=100000000000000000000
    // +kgen:allow=contradicting-bounds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub large: Option<f64>,
    // +kubebuilder:validation:Maximum=9.5
    // +kubebuilder:validation:Type=""
    // +kubebuilder:validation:XIntOrString
    #[serde(skip_serializing_if = "Option::is_none")]
    pub either: Option<IntOrString>,
}
