//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

// +kubebuilder:validation:XValidation:rule="self.ropes > 1",messageExpression="self.ropes"
#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    pub ropes: i32,
    pub spares: Option<i32>,
}
