//! A client method with the path of a Go type: text to kube-derive, and a method that kgen cannot generate.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mill on a river.
// +genclient
// +genclient:method=GetSize,verb=get,subresource=size,result=k8s.io/api/autoscaling/v1.Scale
#[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
#[kube(group = "river.example.org", version = "v1", kind = "Mill", namespaced)]
pub struct MillSpec {
    /// How many wheels turn.
    pub wheels: i32,
}
