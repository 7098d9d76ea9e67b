//! +groupName=example.com
//! The first version.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A deployment that is kept running.
// +genclient
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.availableReplicas
// +kubebuilder:resource:shortName=fo
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foo {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: FooSpec,
    /// What is there.
    pub status: Option<FooStatus>,
}

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FooSpec {
    /// Name of the deployment.
    pub deployment_name: String,
    /// How many pods.
    // +kubebuilder:validation:Minimum=0
    pub replicas: Option<i32>,
}

/// What is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FooStatus {
    /// How many pods run.
    pub available_replicas: i32,
}

/// A cluster-wide kind that is only read.
// +genclient
// +genclient:nonNamespaced
// +genclient:readonly
// +kubebuilder:resource:scope=Cluster
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: RegionSpec,
}

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegionSpec {
    /// Where it is.
    pub country: String,
}
