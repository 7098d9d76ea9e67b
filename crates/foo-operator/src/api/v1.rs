//! +groupName=example.com
//! The version of the API that the operator works with, and that is stored. The markers `+kgen:conversion` describe its
//! differences from [`v1alpha1`](super::v1alpha1).
//!
//! kgen generates `src/generated`, `config/crd` and `config/rbac` from the files in this folder and from the RBAC markers
//! next to the code that needs them.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};

// ANCHOR: kind
/// An nginx Deployment that the operator manages.
// +genclient
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Deployment,type=string,JSONPath=`.spec.deploymentName`
// +kubebuilder:printcolumn:name=Replicas,type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name=Available,type=integer,JSONPath=`.status.availableReplicas`
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=`.metadata.creationTimestamp`
// +kgen:conversion:webhook:serviceName=foo-operator-webhook,serviceNamespace=foo-system
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

// ANCHOR: changes
/// The desired state.
// +kgen:conversion:dropped=comment
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FooSpec {
    /// The name of the Deployment, a DNS label. If it changes, the operator deletes the Deployment of the old name.
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:MaxLength=63
    // +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
    pub deployment_name: String,

    /// The number of pods. If it is not set, the operator does not change the replicas of the Deployment.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=10
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,

    /// The image of the pods without its tag; by default `nginx`.
    // +kubebuilder:validation:MinLength=1
    // +kgen:conversion:from=image
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,

    /// The tag of the image; by default `latest`.
    // +kubebuilder:validation:MinLength=1
    // +kgen:conversion:from=image
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,

    /// When nodes pull the image. If it is not set, the operator does not change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_pull_policy: Option<PullPolicy>,

    /// The time in seconds that pods have to end. If it is not set, the operator does not change it.
    // +kubebuilder:validation:Minimum=0
    // +kgen:conversion:from=graceSeconds
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub termination_grace_period_seconds: Option<i64>,
}

/// When nodes pull the image.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub enum PullPolicy {
    /// Before each start of a container.
    Always,
    /// If the node does not have the image.
    IfNotPresent,
    /// Never. The image must be on the node.
    // +kgen:conversion:as=IfNotPresent
    Never,
}
// ANCHOR_END: changes

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
