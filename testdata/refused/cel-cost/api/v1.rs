//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

// +kubebuilder:validation:XValidation:rule="self.crew.all(a, self.crew.exists_one(b, a == b))"
#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    pub crew: Vec<String>,
}
