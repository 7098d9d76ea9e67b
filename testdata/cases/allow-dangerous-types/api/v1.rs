//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// +kubebuilder:validation:Minimum=0.5
    /// +kubebuilder:validation:Maximum=2.5e3
    /// +kubebuilder:validation:MultipleOf=0.25
    /// +kubebuilder:default=1.5
    pub litres: f64,
    pub ratio: f32,
    pub list: Vec<f64>,
    /// +kubebuilder:default=2
    pub whole: f64,
}
