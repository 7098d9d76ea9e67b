//! +groupName=example.com
//! The first version of the API. The operator works with [`v1`](super::v1), and converts between the two.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

// ANCHOR: kind
/// An nginx Deployment that the operator manages.
// +genclient
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Deployment,type=string,JSONPath=`.spec.deploymentName`
// +kubebuilder:printcolumn:name=Replicas,type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name=Available,type=integer,JSONPath=`.status.availableReplicas`
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=`.metadata.creationTimestamp`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foo {
    /// The name, namespace, labels and other metadata.
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: FooSpec,
    /// The observed state.
    pub status: Option<FooStatus>,
}
// ANCHOR_END: kind

/// The desired state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FooSpec {
    /// The name of the Deployment, a DNS label. If it changes, the operator deletes the Deployment of the old name.
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:MaxLength=63
    // +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
    pub deployment_name: String,

    // ANCHOR: bounds
    /// The number of pods. If it is not set, the operator does not change the replicas of the Deployment.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=10
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    // ANCHOR_END: bounds
    /// The image of the pods, such as `nginx:1.29`; by default `nginx:latest`.
    // +kubebuilder:validation:MinLength=1
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,

    /// When nodes pull the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_pull_policy: Option<PullPolicy>,

    /// The time in seconds that pods have to end.
    // +kubebuilder:validation:Minimum=0
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace_seconds: Option<i64>,

    /// A remark for people. The operator ignores it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// When nodes pull the image.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub enum PullPolicy {
    /// Before each start of a container.
    Always,
    /// If the node does not have the image.
    IfNotPresent,
}

/// The observed state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FooStatus {
    /// The number of available pods of the Deployment.
    #[serde(default)]
    pub available_replicas: i32,

    /// The `metadata.generation` for which the operator computed this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// The conditions. `Ready` is true if the desired number of pods is available.
    // +listType=map
    // +listMapKey=type
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}
