//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    /// A chart.
    // +kubebuilder:validation:Schemaless
    pub chart: Option<String>,
}
