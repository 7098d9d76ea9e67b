//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub name: String,

    // +kubebuilder:validation:Minimum=1
}

fn unrelated() {
    // +optional
}

// Two blank lines are too far.
// +kubebuilder:validation:MaxProperties=3


#[derive(Clone)]
pub enum Side {
    // +optional
}

// +kubebuilder:default=1
