//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

// +kubebuilder:validation:ExactlyOneOf=diesel;stem
#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    pub name: String,
    pub diesel: Option<i32>,
    pub steam: Option<i32>,
}
