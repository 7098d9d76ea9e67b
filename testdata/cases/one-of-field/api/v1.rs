//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

/// +kubebuilder:validation:ExactlyOneOf=diesel;stem
/// +kubebuilder:validation:AtMostOneOf=name;sail
/// +kubebuilder:validation:AtLeastOneOf=sail.area;oars
/// +kubebuilder:validation:AtLeastOneOf=diesel;oars
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub name: String,
    pub diesel: Option<i32>,
    pub steam: Option<i32>,
    pub sail: Option<i32>,
    #[serde(default)]
    pub oars: i32,
}
