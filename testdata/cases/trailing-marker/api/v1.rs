//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)] // +kubebuilder:validation:MaxProperties=4
pub struct TugSpec {
    pub name: String, // +optional
    pub flag: String, //+kubebuilder:validation:MaxLength=4
    pub home: String, // a remark, with a + in it
    pub berth: String, // +1 for luck
}
