//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

/// OvenSpec holds structs in structs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub door: Door,
    /// The doc of a field wins over the doc of its type.
    pub back: Door,
    pub empty: Empty,
    pub doors: Vec<Door>,
}

/// Door of an oven.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Door {
    pub glass: bool,
    pub hinge: Hinge,
}

/// Hinge of a door.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hinge {
    pub side: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Empty {}
