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
    /// Never nullable by itself.
    pub maybe: Option<i32>,
    /// Tells null from absent.
    pub twice: Option<Option<i32>>,
    /// +nullable
    pub asked: Option<String>,
    pub list: Option<Vec<String>>,
    /// An item that is nothing is written as null.
    pub items: Vec<Option<String>>,
    pub values: std::collections::BTreeMap<String, Option<i32>>,
}
