//! +groupName=garden.example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:rbac:groups=garden.example.com,resources=beds,verbs=get;list;watch

/// A bed of flowers.
#[derive(Clone, Debug)]
pub struct Bed {
    pub metadata: ObjectMeta,
    pub spec: BedSpec,
}

/// What grows in the bed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BedSpec {
    /// Rows of plants.
    // +kubebuilder:validation:Minimum=1
    pub rows: u16,
}
