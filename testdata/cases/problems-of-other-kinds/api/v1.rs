//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// The typo hides the problem of the column, which may depend on it.
// +kubebuilder:printcolumn:name=Where,type=string,JSONPath=.spec.nowhere
#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    // +kubebuilder:validation:Minimun=1
    pub size: i32,
}

/// The problems of this kind are reported all the same.
// +kubebuilder:printcolumn:name=Where,type=string,JSONPath=.spec.nowhere
#[derive(Clone, Debug)]
pub struct Tile {
    pub metadata: ObjectMeta,
    pub spec: TileSpec,
}

/// The size of a tile.
// +kubebuilder:validation:XValidation:rule="self.size.startsWith(3)"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TileSpec {
    pub size: String,
}

/// This kind shares the type with the typo.
// +kubebuilder:printcolumn:name=Where,type=string,JSONPath=.spec.nowhere
#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}
