//! kube-derive builds on schemars 0.8 here: other texts, bounds and enums than with version 1.

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// # A grove of trees
///
/// Lines of a paragraph
/// are joined.
///
///
/// TODO lines
/// ---
/// and what follows is kept.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "orchard.example.org",
    version = "v1",
    kind = "Grove",
    namespaced,
    printcolumn = r#"{"name": "Kind", "type": "string", "jsonPath": ".spec.fruit"},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct GroveSpec {
    /// Written by the program, and never read.
    #[serde(skip_deserializing)]
    pub age: i32,
    #[schemars(example = "sample_name")]
    pub called: String,
    pub see_through: SeeThrough,
    /// ## What grows
    /// In one word.
    pub fruit: Option<Fruit>,
    pub soil: Option<Soil>,
    pub watering: Option<Watering>,
    pub fence: Option<Fence>,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub open: bool,
    pub rows: u8,
    pub slope: i8,
    pub height: i16,
    pub distance: std::num::NonZeroU16,
    pub yearly: Option<Quantity>,
    pub gate: IntOrString,
    pub pause: std::time::Duration,
    #[deprecated = "nobody reads it"]
    pub owner: Option<String>,
}

/// No null among the values.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Fruit {
    Apple,
    Pear,
}

/// Each has
/// a text.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Soil {
    /// Heavy.
    Clay,
    /// Light.
    Sand,
}

/// The text of an optional enum
/// stays.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Watering {
    /// From a well
    /// nearby.
    Well(i32),
    Rain { litres: u16 },
}

/// The text of a variant goes to its property, if there is but one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Fence {
    /// Made of boards.
    Wood { boards: u32 },
    /// Made of stones.
    Stone { stones: u32, mortar: Option<bool> },
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn sample_name() -> String {
    "Pomona".to_owned()
}

/// This text is lost: the type is the one inside it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SeeThrough(pub String);
