//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

/// +kubebuilder:validation:Pattern=`^[a-z]+$`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Name(String);

/// +kubebuilder:validation:Format=hostname
pub type Host = String;

/// +kubebuilder:validation:Pattern=`^.{3}`
pub type Long = Name;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// +kubebuilder:validation:Pattern=`^x`
    pub two: Name,
    /// +kubebuilder:validation:Pattern=`^[a-z]+$`
    pub equal: Name,
    /// +kubebuilder:validation:Format=ipv4
    pub formats: Host,
    /// +kubebuilder:validation:Pattern=`z$`
    pub three: Long,
}
