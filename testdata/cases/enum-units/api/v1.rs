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
    pub fuel: Fuel,
    pub heat: Option<Heat>,
    pub bread: Bread,
    /// The doc of the field stays, and that of the values goes.
    pub other: Fuel,
}

/// What burns.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fuel {
    /// Beech, mostly.
    DryWood,
    /// From the grid.
    /// At night only.
    Electricity,
    #[serde(rename = "GAS")]
    Gas,
    #[serde(skip)]
    Hidden,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Heat {
    Top,
    Bottom,
}

/// What is baked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Bread {
    DarkRye,
    /// Not from here.
    #[serde(other)]
    Unknown,
}
