//! Everything is optional here, if nothing else is said.
//! +groupName=piers.example.org
//! +kubebuilder:validation:Optional

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Pier {
    pub metadata: ObjectMeta,
    pub spec: PierSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PierSpec {
    pub name: String,
    /// +required
    pub metres: i32,
    pub home: Option<String>,
}
