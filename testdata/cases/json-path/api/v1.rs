//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// +kubebuilder:printcolumn:name=Ropes,type=integer,JSONPath=.spec.rope
/// +kubebuilder:printcolumn:name=Name,type=integer,JSONPath=.spec.name
/// +kubebuilder:printcolumn:name=Open,type=string,JSONPath=.spec[
/// +kubebuilder:printcolumn:name=Fine,type=string,JSONPath=.spec.name
/// +kubebuilder:selectablefield:JSONPath=.spec.colour
/// +kubebuilder:selectablefield:JSONPath=.spec.crew
/// +kubebuilder:selectablefield:JSONPath=.spec.name
/// +kubebuilder:subresource:status
/// +kubebuilder:subresource:scale:specpath=.spec.name,statuspath=.status.tugs,selectorpath=.status.selector
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
    pub status: Option<TugStatus>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub name: String,
    pub ropes: i32,
    pub crew: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugStatus {
    pub replicas: i32,
}
