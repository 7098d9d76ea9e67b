//! +groupName=verbs.example.org
//! +versionName=v1
//! The API.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// The same for all of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Spec {
    /// How many.
    pub count: i32,
}

/// What a method sends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Approval {
    /// By whom.
    pub approver: String,
}

/// Every verb, with status and scale.
// +genclient
// +resourceName=everythings
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.count,statuspath=.status.count
#[derive(Clone, Debug)]
pub struct Everything {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
    /// What is there.
    pub status: Option<Spec>,
}

/// A status without the subresource: no verbs for it.
// +genclient
#[derive(Clone, Debug)]
pub struct Plain {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
    /// What is there.
    pub status: Option<Spec>,
}

/// The subresource, and no verbs for it.
// +genclient
// +genclient:noStatus
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Silent {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
    /// What is there.
    pub status: Option<Spec>,
}

/// Only reading, with a scale that can be read.
// +genclient
// +genclient:readonly
// +kubebuilder:subresource:scale:specpath=.spec.count,statuspath=.status.count
#[derive(Clone, Debug)]
pub struct Reading {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
    /// What is there.
    pub status: Option<Spec>,
}

/// Reading and one more verb.
// +genclient
// +genclient:readonly
// +genclient:onlyVerbs=updateStatus
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Reported {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
    /// What is there.
    pub status: Option<Spec>,
}

/// Two verbs, of which neither reads: no lister, no informer, no handle for all namespaces.
// +genclient
// +genclient:onlyVerbs=create, delete
#[derive(Clone, Debug)]
pub struct Written {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// All but two.
// +genclient
// +genclient:skipVerbs=deleteCollection,apply
#[derive(Clone, Debug)]
pub struct Kept {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// No verbs, methods of its own.
// +genclient
// +genclient:noVerbs
// +genclient:method=GetSize,verb=get,subresource=size,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=ListSizes,verb=list,subresource=sizes,result=Vec<k8s_openapi::api::autoscaling::v1::Scale>
// +genclient:method=Approve,verb=create,subresource=approval,input=Approval
// +genclient:method=Replace,verb=update,subresource=approval,input=Approval,result=Approval
// +genclient:method=Change,verb=patch,subresource=approval,result=crate::api::Approval
// +genclient:method=Claim,verb=apply,subresource=approval,input=Approval
// +genclient:method=Fetch,verb=get
// +genclient:method=Make,verb=create
// +genclient:method=Enumerate,verb=list
#[derive(Clone, Debug)]
pub struct Special {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// Of the cluster.
// +genclient
// +genclient:nonNamespaced
// +kubebuilder:resource:scope=Cluster
#[derive(Clone, Debug)]
pub struct Wide {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}

/// No client at all, but an object.
#[derive(Clone, Debug)]
pub struct Unasked {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
}
