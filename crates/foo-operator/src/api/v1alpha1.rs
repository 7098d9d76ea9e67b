//! +groupName=example.com
//! The first version of the API. Everything in `src/generated`, `config/crd` and `config/rbac` is made from this file and
//! from the access rules that stand beside the code which needs them.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

// ANCHOR: kind
/// A Deployment of nginx that is kept as it is described here.
// +genclient
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Deployment,type=string,JSONPath=`.spec.deploymentName`
// +kubebuilder:printcolumn:name=Replicas,type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name=Available,type=integer,JSONPath=`.status.availableReplicas`
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=`.metadata.creationTimestamp`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foo {
    /// Name, namespace, labels and the like.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: FooSpec,
    /// What was last seen of it.
    pub status: Option<FooStatus>,
}
// ANCHOR_END: kind

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FooSpec {
    /// Name of the Deployment, a DNS label. After a change the Deployment of the old name is deleted.
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:MaxLength=63
    // +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
    pub deployment_name: String,

    // ANCHOR: bounds
    /// How many pods the Deployment has. Left out, it is up to the Deployment and to whoever scales it.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=10
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    // ANCHOR_END: bounds
}

/// What was last seen of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FooStatus {
    /// How many pods of the Deployment are available.
    #[serde(default)]
    pub available_replicas: i32,

    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// `Ready` says whether as many pods are available as are wanted.
    // +listType=map
    // +listMapKey=type
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}
