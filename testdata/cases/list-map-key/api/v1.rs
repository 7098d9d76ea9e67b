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
    /// +listType=map
    /// +listMapKey=nmae
    pub winches: Vec<Winch>,
    /// +listType=map
    /// +listMapKey=side
    pub spares: Vec<Winch>,
    /// The key may be absent and has no default.
    /// +listType=map
    /// +listMapKey=colour
    pub painted: Vec<Winch>,
    /// A key that is defaulted is fine, and so are two.
    /// +listType=map
    /// +listMapKey=name
    /// +listMapKey=port
    pub fine: Vec<Winch>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Winch {
    pub name: String,
    pub side: Side,
    pub colour: Option<String>,
    /// +kubebuilder:default=5
    #[serde(default)]
    pub port: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Side {
    pub left: bool,
}
