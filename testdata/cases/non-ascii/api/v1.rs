//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

/// Größe — in Metern; 高さ.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// Länge der Flügel
    /// +kubebuilder:validation:Enum=groß;klein
    pub flügel: String,
    /// +kubebuilder:validation:Pattern=`^[äöü]+$`
    #[serde(rename = "höhe")]
    pub height: String,
}
