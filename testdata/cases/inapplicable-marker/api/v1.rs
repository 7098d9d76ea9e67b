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
    /// +kubebuilder:validation:MaxLength=5
    pub horsepower: i32,
    /// +kubebuilder:validation:Minimum=5
    pub name: String,
    /// +kubebuilder:validation:MaxItems=5
    pub engine: Engine,
    /// +kubebuilder:validation:MaxProperties=5
    pub crew: Vec<String>,
    /// +kubebuilder:validation:items:Minimum=5
    pub ropes: Vec<String>,
    /// +kubebuilder:validation:items:MinLength=5
    pub flag: String,
    /// +listType=set
    pub home: String,
    /// +listMapKey=rpm
    pub engines: Vec<Engine>,
    /// +mapType=atomic
    pub berths: Vec<String>,
    /// +structType=atomic
    pub wharf: String,
    /// +kubebuilder:validation:Pattern=`^a$`
    pub lit: bool,
    /// +kubebuilder:validation:Schemaless
    /// +kubebuilder:validation:Type=array
    /// +kubebuilder:validation:items:MinLength=5
    pub barges: Vec<String>,
    /// +kubebuilder:validation:Type=integer
    pub draught: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub rpm: i32,
}
