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
    /// +kubebuilder:validation:MaxLength:x=5
    pub name: String,
    /// +kubebuilder:validation:Enum=a;b // note
    pub flag: String,
    /// +kubebuilder:validation:Minimum=5 # at least five
    pub ropes: i32,
    /// +optional // because
    pub home: Option<String>,
    /// +nullable: yes
    pub sail: Option<String>,
    /// +kubebuilder:externalDocs: see the chart
    pub chart: Option<String>,
    /// +kubebuilder:default = 5
    pub lamps: i32,
    /// +kubebuilder:validation:Pattern="^a$" and more
    pub code: String,
    /// The old spelling with a colon stays valid.
    /// +kubebuilder:validation:MaxLength:=5
    pub fine: String,
}
