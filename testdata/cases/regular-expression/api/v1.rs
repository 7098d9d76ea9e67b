//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    /// +kubebuilder:validation:Pattern=`^(a$`
    pub open: String,
    /// Go knows no look-ahead.
    /// +kubebuilder:validation:Pattern=`^(?!root)[a-z]+$`
    pub ahead: String,
    /// +kubebuilder:validation:items:Pattern=`[z-a]`
    pub items: Vec<String>,
    /// +kubebuilder:validation:Pattern=`^\p{Lu}[a-z]{0,3}(?:-(?P<n>\d+))?\z`
    pub fine: String,
}
