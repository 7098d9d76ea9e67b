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
    /// Größe über alles: 🥖
    /// +kubebuilder:validation:MaxLenght=4
    pub name: String,
    pub größe: Grösse,
    pub ok: i32, // 🥖 +optional
    pub no: i32, // +optional
}
