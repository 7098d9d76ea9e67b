//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use serde::{Deserialize, Serialize};

/// Columns alone make no subresources.
/// +kubebuilder:printcolumn:name="Wind",type=integer,JSONPath=`.spec.wind`,format=int32,priority=1,description="Force, as measured"
/// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.spec.conditions[?(@.type=="Ready")].status`
/// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=.metadata.creationTimestamp
#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    pub wind: i32,
    pub conditions: Vec<Condition>,
    pub seen: Option<Time>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Condition {
    pub r#type: String,
    pub status: String,
}
