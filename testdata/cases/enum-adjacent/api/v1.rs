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
    pub timer: Timer,
    pub topping: Topping,
}

/// When it rings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "unit", content = "value")]
pub enum Timer {
    /// Sixty to the hour.
    Minutes(i32),
    Hours(i32),
}

/// Some have no content.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "with", rename_all = "lowercase")]
pub enum Topping {
    Plain,
    Seeds { grams: i32 },
}
