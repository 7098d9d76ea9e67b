// Imported by kgen from kilns.pottery.example.com.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::TypeMeta;
use serde::{Deserialize, Serialize};
use serde_json::Value;

// +kubebuilder:subresource:status
// +kubebuilder:validation:XValidation:rule="self.metadata.name != 'x'"
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kiln {
    #[serde(flatten)]
    pub types: TypeMeta,
    // +k8s:subfield(name)=+kubebuilder:validation:MaxLength=63
    // +k8s:subfield(name)=+kubebuilder:validation:Pattern="^[a-z]+$"
    pub metadata: ObjectMeta,
    pub data: BTreeMap<String, String>,
    #[serde(rename = "security-labels", skip_serializing_if = "Option::is_none")]
    pub security_labels: Option<String>,
    // +kgen:allow=required-status
    pub status: KilnStatus,
    #[serde(flatten)]
    pub other: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
}
