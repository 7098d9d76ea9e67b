//! +groupName=tea.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// There is one of it, whose name is fixed by a rule.
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:validation:XValidation:rule="self.metadata.name == 'cluster'",message="the only name is cluster"
#[derive(Clone, Debug)]
pub struct Kitchen {
    pub metadata: ObjectMeta,
    pub spec: KitchenSpec,
}

/// Several values have rules of their own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KitchenSpec {
    /// Of the stove.
    pub stove: Reference,
}

/// Names an object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reference {
    // +kubebuilder:validation:Pattern=`^[^/]*$`
    // +kubebuilder:validation:XValidation:rule="self != ''",message="group may not be empty"
    pub group: String,
    // +kubebuilder:validation:XValidation:rule="self != ''",message="kind may not be empty"
    pub kind: String,
    // +kubebuilder:validation:XValidation:rule="self != ''",message="name may not be empty"
    pub name: String,
}
