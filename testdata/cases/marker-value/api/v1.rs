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
    /// +kubebuilder:validation:MaxLength=five
    pub name: String,
    /// +kubebuilder:validation:MaxLength=-1
    pub short: String,
    /// +kubebuilder:validation:MaxLength=0x10
    pub hex: String,
    /// +kubebuilder:validation:ExclusiveMaximum=yes
    pub ropes: i32,
    /// +optional=true
    pub home: Option<String>,
    /// +kubebuilder:default=null
    pub lamps: Option<i32>,
    /// +default={"a":}
    pub chart: Option<String>,
    /// +listType=bag
    pub crew: Vec<String>,
    /// +kubebuilder:validation:Enum=a;;b
    pub flag: String,
    /// +kubebuilder:validation:Pattern="\d+"
    pub code: String,
    /// +kubebuilder:validation:XValidation:rule="true",reason=Because
    pub side: String,
    /// +kubebuilder:title=5
    pub title: String,
}
