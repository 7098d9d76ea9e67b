//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +kubebuilder:validation:MinLength=1
    /// +kubebuilder:validation:MaxLength=63
    /// +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`
    pub name: String,
    /// +kubebuilder:validation:Format=date-time
    pub since: String,
    /// +kubebuilder:validation:items:MinLength=1
    /// +kubebuilder:validation:items:MaxLength=5
    /// +kubebuilder:validation:items:Pattern="^\\d+$"
    /// +kubebuilder:validation:items:Enum="1";"22"
    pub codes: Vec<String>,
    /// +kubebuilder:validation:items:Format=uri
    pub links: Vec<String>,
    /// +kubebuilder:validation:Enum={"a b",c,"d,e"}
    pub braces: String,
    /// +kubebuilder:validation:Enum="";x
    pub empty: String,
}
