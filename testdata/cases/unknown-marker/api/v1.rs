//! +groupname=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// +kubebuilder:subresource:stats
/// +kubebuilder:printercolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
/// +genclient:nonNamespace
/// +kgen:thing
/// +kubebuilder:subresource
/// +kubebuilder:shortname=tg
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    /// +kubebuilder:validation:maxLength=4
    /// +kubebuilder:validation:MaxLenght=4
    pub name: String,
    /// +optinal
    pub home: Option<String>,
    /// +listtype=set
    pub crew: Vec<String>,
    /// +k8s:maxLenght=4
    pub flag: String,
    /// +kubebuilder:validation:items:items:MaxLength=4
    pub ropes: Vec<Vec<String>>,
    /// Foreign prefixes are left alone.
    /// +my:thing=4
    /// +docs:section=crew
    /// +kubebuilder:scaffold:fields
    pub berth: String,
}
