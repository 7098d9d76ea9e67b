// Imported by kgen from kilns.pottery.example.com.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
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
    // +kubebuilder:validation:Type=""
    // +kubebuilder:validation:XIntOrString
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<IntOrString>,
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:MaxLength=5
    #[serde(skip_serializing_if = "Option::is_none")]
    pub both: Option<IntOrString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Quantity>,
    // +kubebuilder:validation:Enum=1;two
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<IntOrString>,
    // +kubebuilder:validation:Type=string
    // +kubebuilder:validation:XIntOrString
    // +kgen:validation:AnyOf=[{"type":"integer"},{"type":"string"}]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typed: Option<IntOrString>,
    // +kubebuilder:validation:Type=""
    // +kubebuilder:validation:XIntOrString
    // +kgen:validation:AllOf=[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"pattern":"^a"}]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<IntOrString>,
    // +k8s:eachVal=+kubebuilder:validation:Pattern="^[0-9]+$"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<BTreeMap<String, IntOrString>>,
}
