//! +groupName=harbour.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    /// The API server compares 0 with this as `int64`, and refuses it.
    /// +kubebuilder:validation:Maximum=3.4e38
    pub draught: f64,
}
