//! Enums, flattened fields, keys of maps and defaults.

use std::collections::{BTreeMap, BTreeSet};

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A menu of choices.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Menu",
    namespaced,
    status = "MenuStatus",
    printcolumn = r#"{"name":"Mixed","type":"string","jsonPath":".spec.mixed"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct MenuSpec {
    pub mixed: Mixed,
    pub optional_mixed: Option<Mixed>,
    pub many_mixed: Vec<Mixed>,
    pub open: Open,
    pub plain: Option<Plain>,
    pub variants: Variants,
    pub optional_variants: Option<Variants>,
    pub untagged: Untagged,
    pub by_key: BTreeMap<Plain, i32>,
    pub by_number: BTreeMap<u8, i32>,
    pub names: BTreeSet<String>,
    #[serde(flatten)]
    pub flattened: Option<Flattened>,
    pub defaults: Defaults,
    pub nested: Option<Option<i32>>,
    pub boxed: Box<Option<i32>>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MenuStatus {
    pub pages: u16,
    pub address: Option<std::net::IpAddr>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Mixed {
    /// # The first
    ///
    /// It has a text.
    First,
    Second,
    /// It has a text, too.
    Third,
    Fourth,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Open {
    Plain,
    #[deprecated]
    Old,
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Plain {
    Left,
    Right,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Variants {
    /// A map.
    StringMap(BTreeMap<String, String>),
    #[schemars(with = "u64")]
    AsNumber(String),
    /// Perhaps.
    Perhaps(Option<String>),
    Described {
        size: i32,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Untagged {
    Weight(Weight),
    Length { length: i32, unit: Option<String> },
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Flattened {
    Weight(Weight),
    Length { length: i32 },
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Weight {
    pub weight: i32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Defaults {
    pub number: u32,
    pub text: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub not_empty: String,
    #[serde(skip_serializing)]
    pub never_written: i8,
    #[serde(default = "six")]
    pub six: u32,
}

fn six() -> u32 {
    6
}
