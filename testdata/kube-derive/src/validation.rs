//! What schemars reads from its own attributes and from those of validators.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const LONGEST: u64 = 63;
pub const HIGHEST: i32 = 100;
pub const NAME_PATTERN: &str = "^[a-z]+$";

/// Bounds of all sorts.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Bound", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct BoundSpec {
    #[schemars(length(min = 1, max = 63))]
    pub name: String,
    #[schemars(length(min = 1, max = LONGEST))]
    pub named: String,
    #[schemars(length(equal = 3))]
    pub three: Vec<String>,
    #[schemars(length(min = 2))]
    pub list: Vec<i32>,
    #[schemars(range(min = 1, max = HIGHEST))]
    pub percent: i32,
    #[schemars(range(max = 9))]
    pub maybe: Option<u8>,
    #[schemars(regex(pattern = r"^[a-z]+$"))]
    pub literal: String,
    #[schemars(regex(pattern = NAME_PATTERN))]
    pub by_constant: String,
    #[schemars(regex(pattern = crate::validation::NAME_PATTERN))]
    pub by_path: Option<String>,
    #[schemars(email)]
    pub mail: String,
    #[schemars(url)]
    pub address: String,
    #[schemars(inner(length(min = 1, max = 5)))]
    pub inner: Vec<String>,
    #[schemars(inner(inner(range(min = 1))))]
    pub innermost: Vec<Vec<i32>>,
    #[validate(length(min = 1))]
    pub validated: String,
    #[validate(range(min = 0, max = 10))]
    pub validated_number: i32,
    #[garde(length(min = 2))]
    pub guarded: String,
    #[schemars(title = "A title", description = "A text.")]
    pub titled: String,
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub open: Inside,
    #[schemars(extend("minLength" = 4, "pattern" = "^x"))]
    pub extended: String,
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["key"]))]
    pub keyed: Vec<Inside>,
    #[schemars(rename = "seenAs")]
    pub not_seen: Option<String>,
    #[schemars(with = "String")]
    pub as_text: Inside,
    #[schemars(skip)]
    #[serde(default)]
    pub hidden: Inside,
    #[schemars(contains(pattern = "x"))]
    pub containing: String,
    #[schemars(required)]
    pub needed: Option<String>,
    pub whole: Extended,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Inside {
    pub key: String,
}

/// Extended as a whole.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-kubernetes-preserve-unknown-fields" = true), title = "Whole")]
pub struct Extended {
    pub key: String,
}
