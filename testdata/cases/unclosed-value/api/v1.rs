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
    /// +kubebuilder:validation:Pattern="^a
    pub name: String,
    /// +kubebuilder:validation:Pattern=`^a
    pub code: String,
    /// +kubebuilder:default={a, b
    pub crew: Vec<String>,
    /// +default={"a": [1, 2}
    pub chart: Engine,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub a: Vec<i32>,
}
