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
    /// +kubebuilder:validation:Maximum=10
    /// +kubebuilder:default=20
    pub ropes: i32,
    /// +kubebuilder:default=many
    pub lamps: i32,
    /// +kubebuilder:validation:Enum=red;green
    /// +kubebuilder:default=blue
    pub flag: String,
    /// +kubebuilder:default={rpm: "fast"}
    pub engine: Engine,
    /// +kubebuilder:default={}
    pub spare: Engine,
    /// +default=["a", 5]
    pub crew: Vec<String>,
    /// +default={"rpm": 1, "colour": "red"}
    pub other: Engine,
    /// +kubebuilder:validation:Pattern=`^[a-z]+$`
    /// +kubebuilder:default=ABC
    pub name: String,
    /// +kubebuilder:default=300
    pub berth: u8,
    /// +kubebuilder:default=5
    pub number_for_text: String,
    /// +kubebuilder:default="true"
    pub text_for_truth: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub rpm: i32,
}
