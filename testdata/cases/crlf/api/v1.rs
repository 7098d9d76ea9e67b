//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

/// Two lines
/// of text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// The name.
    ///
    /// +kubebuilder:validation:XValidation:message="m",rule="self.size() > 1 &&
    ///   self.size() < 9"
    /// +kubebuilder:validation:Enum=ab;cd
    // +kubebuilder:default=ab
    pub name: String,
}
