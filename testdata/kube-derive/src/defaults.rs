//! Defaults, which kube-derive writes into the schema as the value that the code has when it runs.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Defaults of all sorts.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Potter", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct PotterSpec {
    #[serde(default)]
    pub flag: bool,
    #[serde(default)]
    pub number: i32,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub list: Vec<String>,
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    #[serde(default)]
    pub option: Option<String>,
    #[serde(default = "three")]
    pub by_function: i32,
    #[serde(default = "default_text")]
    pub by_text: String,
    #[serde(default = "some_text")]
    pub by_option: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped_list: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub skipped_text: String,
    #[serde(default)]
    pub nested: Nested,
    #[serde(default)]
    pub mode: Mode,
    #[serde(default, skip_serializing_if = "is_default")]
    pub skipped_mode: Mode,
    #[serde(default = "Mode::slow", skip_serializing_if = "is_default")]
    pub unusual_mode: Mode,
    #[serde(default = "Mode::slow")]
    pub by_method: Mode,
    #[serde(default = "default_limit")]
    pub by_constant: u32,
    pub whole: Whole,
    pub derived: DerivedWhole,
}

const LIMIT: u32 = 16;

fn three() -> i32 {
    3
}

fn default_text() -> String {
    "text".to_string()
}

fn some_text() -> Option<String> {
    Some("some".into())
}

fn default_limit() -> u32 {
    LIMIT
}

/// With a default of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Nested {
    pub first_number: i32,
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    pub mode: Mode,
}

fn is_default(mode: &Mode) -> bool {
    matches!(mode, Mode::Fast)
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    #[default]
    Fast,
    Slow,
}

impl Mode {
    fn slow() -> Self {
        Self::Slow
    }
}

/// Every field has a default.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct Whole {
    pub max_count: i32,
    pub name: String,
    pub optional: Option<i32>,
    pub list: Vec<i32>,
}

impl Default for Whole {
    fn default() -> Self {
        Self {
            max_count: 7,
            name: String::from("whole"),
            optional: None,
            list: vec![1, 2],
        }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DerivedWhole {
    pub count: i32,
    pub nested: Nested,
}
