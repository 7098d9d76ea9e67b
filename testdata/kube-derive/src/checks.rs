//! Checks that meet each other: on a field and its type, of several crates, inside lists and maps, by expressions.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub const LEAST: i32 = 1;
pub const MOST: usize = 10;

pub static LETTERS: LazyLock<String> = LazyLock::new(|| "^[a-z]+$".to_owned());

fn digits() -> String {
    "^[0-9]+$".to_owned()
}

/// Checks of all sorts.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Gauge", namespaced)]
pub struct GaugeSpec {
    #[schemars(length(min = 1))]
    pub loosened: Name,
    #[schemars(length(max = 9))]
    pub bounded: Option<Name>,
    #[schemars(range(min = 1))]
    pub not_a_number: Tolerance,
    #[schemars(length(max = 4), regex(pattern = "^a"), email)]
    pub anything: Value,
    #[schemars(length(min = 1))]
    #[validate(length(min = 2, max = 3))]
    pub first_of_two: String,
    #[validate(length(min = 1), length(max = 3))]
    pub first_of_one: String,
    #[validate(range(min = LEAST, max = "LEAST + 4"))]
    pub quoted: i32,
    #[validate(regex(path = digits()))]
    pub by_call: String,
    #[validate(regex(path = "digits()", message = "digits only"))]
    pub by_quoted_call: String,
    #[validate(regex(path = *LETTERS, code = "letters"))]
    pub by_static: String,
    #[validate(custom(function = "unknown"), range(exclusive_min = 3))]
    pub unknown_to_schemars: i32,
    #[garde(range(min = LEAST as i64, max = MOST as i64))]
    pub cast: i64,
    #[garde(contains(concat!("a.", "b")))]
    pub contains_parts: String,
    #[schemars(contains("a+b"))]
    pub contains_text: Option<String>,
    #[schemars(contains("item"))]
    pub contains_item: Vec<String>,
    #[garde(length(chars, min = LEAST as usize, max = MOST))]
    pub characters: String,
    #[garde(ascii, skip)]
    pub unknown_to_both: String,
    #[schemars(inner(length(min = 5, max = 100)))]
    pub array: [String; 2],
    #[schemars(inner(inner(range(min = 1))), length(min = 1))]
    pub nested: Vec<Vec<i32>>,
    #[schemars(inner(email))]
    pub addresses: Vec<String>,
    #[schemars(inner(length(min = 1)))]
    pub map: BTreeMap<String, String>,
    #[schemars(inner(length(min = 1)))]
    pub not_a_list: Option<String>,
    #[schemars(range(min = 0.5, max = 2.5))]
    pub fraction: f64,
    #[schemars(pattern("^b"))]
    pub pattern: Option<String>,
    #[schemars(email)]
    pub format_of_number: i32,
    #[schemars(required)]
    #[serde(flatten)]
    pub required: Option<Tolerance>,
    #[schemars(with = "Option<Name>", required)]
    pub replaced_and_required: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Name(#[schemars(length(min = 3))] pub String);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Tolerance {
    #[validate(range(min = -100, max = 100))]
    pub tolerance: i32,
}
