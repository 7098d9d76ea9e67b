//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship that pulls others.
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Serialize, Deserialize)]
pub struct TugSpec {
    // +listType=map
    // +listMapKey=colour
    pub winches: Vec<Winch>,
}

#[derive(Serialize, Deserialize)]
pub struct Winch {
    pub name: String,
    pub side: Side,
    pub colour: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub struct Side {
    pub left: bool,
}
