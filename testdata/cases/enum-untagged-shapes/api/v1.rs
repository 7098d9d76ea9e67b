//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub same: Same,
    pub text: Text,
    pub objects: Objects,
}

/// Both are text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Same {
    A(String),
    B(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    Port(u16),
    Name(String),
}

/// A required set that is empty always matches.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Objects {
    Full { a: i32, b: i32 },
    Half { a: i32 },
    None {},
}
