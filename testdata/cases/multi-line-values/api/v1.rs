//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

/// +kubebuilder:validation:XValidation:message="too much",rule="self.min <= self.max
///   && self.max < 100"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +kubebuilder:default={
    ///   a: 1,
    ///   b: 2
    /// }
    #[serde(default)]
    pub sizes: std::collections::BTreeMap<String, i32>,
    // +default=[
    //   "x",
    //   "y"
    // ]
    #[serde(default)]
    pub list: Vec<String>,
    /// +kubebuilder:validation:XValidation:message="lines",rule=`
    /// self > 0
    /// `
    pub min: i32,
    /// Text before.
    /// +kubebuilder:validation:XValidation:rule="self > 0 ||
    /// self < -5",message="m"
    /// Text after.
    pub max: i32,
}
