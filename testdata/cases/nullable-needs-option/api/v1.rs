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
    /// Rust cannot read the null that the schema accepts.
    /// +nullable
    pub name: String,
    /// +nullable
    pub fine: Option<String>,
}
