//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

/// Attributes that change nothing in the schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "", crate = "serde", expecting = "an oven")]
pub struct OvenSpec {
    #[serde(borrow)]
    pub name: std::borrow::Cow<'static, str>,
    #[serde(getter = "OvenSpec::size")]
    pub size: i32,
}
