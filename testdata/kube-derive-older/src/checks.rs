//! Checks of schemars 0.8 and validator.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub const LEAST: i32 = 1;
pub static LETTERS: &str = "^[a-z]+$";

/// Checks of all sorts.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Gauge", namespaced)]
pub struct GaugeSpec {
    #[validate(range(min = 1, max = 100))]
    pub bounded: i32,
    #[validate(range(min = "LEAST"))]
    pub quoted: i32,
    #[validate(range(min = 0.5, max = 7.5))]
    pub fraction: f64,
    #[validate(regex = "LETTERS")]
    pub by_name: String,
    #[validate(regex(path = "LETTERS"))]
    pub by_path: String,
    #[schemars(regex(pattern = "^b"))]
    pub by_pattern: String,
    #[schemars(regex = "self::LETTERS")]
    pub by_long_path: String,
    #[validate(contains = "a.b")]
    pub contains: String,
    #[validate(contains(pattern = "x", message = "no x"))]
    pub contains_pattern: String,
    #[schemars(contains = "key")]
    pub contains_key: BTreeMap<String, String>,
    #[validate(email(message = "no address", code = "address"))]
    pub format_with_message: String,
    #[validate(email)]
    pub email: String,
    #[validate(phone)]
    pub phone: String,
    #[validate(ip)]
    pub unknown_format: String,
    #[schemars(url)]
    pub url: Option<String>,
    #[validate(length(min = 1, max = 100, message = "too long"))]
    pub length: String,
    #[validate(length(equal = 2))]
    pub pair: Vec<String>,
    #[validate(required)]
    pub required: Option<bool>,
    #[validate(required)]
    #[serde(flatten)]
    pub required_and_flattened: Option<Tolerance>,
    #[schemars(length(min = 1))]
    #[validate(length(min = 2, max = 3))]
    pub both: String,
    #[validate(length(min = 1), length(max = 3))]
    pub twice: String,
    #[schemars(inner(length(min = 5, max = 100)))]
    pub array: [String; 2],
    #[schemars(inner(inner(range(min = 1))), length(min = 1))]
    pub nested: Vec<Vec<i32>>,
    #[schemars(inner(length(min = 1)))]
    pub map: BTreeMap<String, String>,
    #[schemars(length(max = 4), email)]
    pub anything: Value,
    #[schemars(length(max = 4))]
    pub name: Name,
    #[schemars(length(max = 4))]
    pub transparent: Transparent,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Name(#[validate(length(min = 3))] pub String);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Transparent(#[validate(length(min = 3))] pub String);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Tolerance {
    #[validate(range(min = -100, max = 100))]
    pub tolerance: i32,
}
