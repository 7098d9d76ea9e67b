//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
// +kubebuilder:selectablefield:JSONPath=.spec.rope1
// +kubebuilder:selectablefield:JSONPath=.spec.rope2
// +kubebuilder:selectablefield:JSONPath=.spec.rope3
// +kubebuilder:selectablefield:JSONPath=.spec.rope4
// +kubebuilder:selectablefield:JSONPath=.spec.rope5
// +kubebuilder:selectablefield:JSONPath=.spec.rope6
// +kubebuilder:selectablefield:JSONPath=.spec.rope7
// +kubebuilder:selectablefield:JSONPath=.spec.rope8
// +kubebuilder:selectablefield:JSONPath=.spec.rope9
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    pub rope1: String,
    pub rope2: String,
    pub rope3: String,
    pub rope4: String,
    pub rope5: String,
    pub rope6: String,
    pub rope7: String,
    pub rope8: String,
    pub rope9: String,
}
