//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[cfg_attr(all(), derive(Clone, Debug, Serialize, Deserialize))]
#[cfg_attr(not(test), serde(rename_all = "camelCase"))]
#[cfg_attr(test, serde(rename_all = "kebab-case"))]
pub struct OvenSpec {
    #[cfg_attr(not(test), serde(default))]
    pub baking_time: i32,
    #[cfg(test)]
    pub tested: i32,
    #[cfg(not(test))]
    pub not_tested: i32,
}

#[cfg(test)]
mod tests {
    pub struct Broken(i128);
}

#[cfg(test)]
pub struct OnlyInTests {
    pub metadata: ObjectMeta,
}
