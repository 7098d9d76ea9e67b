//! +groupName=tea.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A kettle.
#[derive(Clone, Debug)]
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
}

/// What is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KettleSpec {
    /// The names.
    // +kubebuilder:validation:MaxItems=9
    // +kubebuilder:validation:items:MaxLength=63
    // +kubebuilder:validation:XValidation:rule="self.all(a, self.all(b, a == b))",message="all must be equal"
    pub names: Vec<String>,
}
