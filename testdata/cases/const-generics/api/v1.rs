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
    pub pair: Fixed<i32, 2>,
    pub triple: Fixed<bool, 3>,
    pub named: Fixed<bool, SHELVES>,
}

pub const SHELVES: usize = 4;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fixed<T, const N: usize> {
    pub values: [T; N],
}
