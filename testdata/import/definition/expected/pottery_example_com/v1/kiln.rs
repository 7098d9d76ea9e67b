// Imported by kgen from kilns.pottery.example.com.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:resource:shortName=kn;kl,categories=all;pottery
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether, or not",priority=1
// +kubebuilder:printcolumn:name=Nothing,type=date,JSONPath=.spec.missing.path
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp,format=date-time
// +kubebuilder:selectablefield:JSONPath=.spec.color
// +kubebuilder:deprecatedversion:warning=`use "v2", please`
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, experimental-only"
// +kubebuilder:metadata:annotations="quoted=a \"b\" `c` \\d=e;f,g"
// +kubebuilder:metadata:labels="app=pottery"
// +kgen:allow=json-path
#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
    pub status: Option<KilnStatus>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}
