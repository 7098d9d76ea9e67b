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
    /// +listType=set
    pub winches: Vec<Winch>,
    /// +listType=map
    /// +listMapKey=name
    pub crew: Vec<String>,
    /// +listType=map
    pub keyless: Vec<Winch>,
    /// +listType=set
    pub fine: Vec<String>,
    /// Atomic structs may be items of a set.
    /// +listType=set
    pub knots: Vec<Knot>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Winch {
    pub name: String,
}

/// +structType=atomic
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Knot {
    pub name: String,
}
