//! +groupName=wrong.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +genclient
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Serialize, Deserialize)]
pub struct KilnSpec {
    // +kubebuilder:validation:Type=integer
    #[serde(with = "seconds")]
    pub burn: std::time::Duration,
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:pruning:PreserveUnknownFields
    pub pair: (i32, String),
}
