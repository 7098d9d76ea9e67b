// Imported by kgen from ovens.bakery.example.com.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: Option<OvenSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OvenSpec {
    // +kubebuilder:validation:Enum=Red;dark-blue
    // +default="Red"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    // +kubebuilder:validation:items:Enum=Other;red
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<Vec<String>>,
}
