use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the brewer wants.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "brewery.example.org", version = "v1", kind = "Brew", namespaced, status = "BrewStatus")]
#[serde(rename_all = "camelCase")]
pub struct BrewSpec {
    pub name: Option<String>,
    /// How strong.
    pub strength: Option<Strength>,
    pub vessel: Option<Vessel>,
    pub litres: u32,
    pub degrees: f64,
    pub hops: BTreeSet<String>,
    pub sizes: BTreeMap<String, Option<u16>>,
    pub limit: Option<Quantity>,
    #[serde(default = "default_days")]
    pub days: i32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(default)]
    pub mash: Mash,
    /// Taken to be what its type is, with a warning.
    #[serde(deserialize_with = "read_minutes")]
    pub minutes: i32,
    #[deprecated = "nobody reads it"]
    pub colour: Option<String>,
}

fn default_days() -> i32 {
    14
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Strength {
    Light,
    Strong,
}

/// Lost on an optional field, as kube-derive loses it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Vessel {
    /// Made of oak.
    Barrel(i32),
    Keg { steel: bool },
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Mash {
    pub degrees: i32,
    pub grain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub water: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrewStatus {
    pub ready: bool,
}
