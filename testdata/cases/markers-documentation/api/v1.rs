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
    /// +kubebuilder:title="The name: of the mill"
    /// +kubebuilder:example=Bockwindmühle
    /// +kubebuilder:externalDocs:url="https://example.org/mills",description="More about mills"
    pub name: String,
    /// +kubebuilder:example={1, 2}
    pub sizes: Vec<i32>,
    /// +kubebuilder:example={"kind": "rye", "kilos": 5}
    pub flour: Flour,
    /// +kubebuilder:externalDocs:url=/docs/stones
    pub stones: i32,
}

/// +kubebuilder:title=Flour
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flour {
    pub kind: String,
    pub kilos: i32,
}
