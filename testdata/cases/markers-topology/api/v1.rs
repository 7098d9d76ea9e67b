//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +listType=atomic
    pub atomic: Vec<Stone>,
    /// +listType=set
    pub set: Vec<String>,
    /// +listType=map
    /// +listMapKey=name
    /// +listMapKey=port
    pub map: Vec<Stone>,
    /// +k8s:listType=map
    /// +k8s:listMapKey=name
    pub k8s: Vec<Stone>,
    /// +mapType=atomic
    pub labels: BTreeMap<String, String>,
    /// +mapType=granular
    pub granular: BTreeMap<String, String>,
    /// +structType=atomic
    pub stone: Stone,
    /// +structType=granular
    pub other: Stone,
    pub typed: Typed,
    pub list: Stones,
}

/// +structType=atomic
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Typed {
    pub a: i32,
}

/// +listType=map
/// +listMapKey=name
pub type Stones = Vec<Stone>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stone {
    pub name: String,
    pub port: i32,
}
