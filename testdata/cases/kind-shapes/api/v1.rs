//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// No spec at all, but fields of its own.
/// +kubebuilder:validation:XValidation:rule="self.pinned || true"
#[derive(Clone, Debug)]
pub struct Recipe {
    pub metadata: ObjectMeta,
    /// Names of Kubernetes are camelCase.
    pub baking_time: i32,
    pub pinned: bool,
    pub r#type: Option<String>,
}

/// kube's re-export of the metadata.
#[derive(Clone, Debug)]
pub struct Oven {
    /// The doc of the metadata is dropped.
    pub metadata: kube::core::ObjectMeta,
    pub spec: OvenSpec,
    pub status: Option<OvenStatus>,
}

/// By a name of our own.
type Meta = ObjectMeta;

#[derive(Clone, Debug)]
pub struct Loaf {
    pub metadata: Meta,
    pub spec: Option<OvenSpec>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenStatus {}
