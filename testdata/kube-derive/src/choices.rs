//! Enums and their variants: the order of names, attributes on variants, enums that are flattened or keys of a map.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A menu of choices.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Menu", namespaced)]
pub struct MenuSpec {
    pub mixed: Mixed,
    pub optional_mixed: Option<Mixed>,
    pub many_mixed: Vec<Mixed>,
    pub open: Open,
    pub variants: Variants,
    pub optional_variants: Option<Variants>,
    pub by_key: BTreeMap<Key, i32>,
    #[serde(flatten)]
    pub flattened: Option<Flattened>,
    pub flattening: Flattening,
}

/// Some variants have a text, and others do not.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Mixed {
    /// # The first
    ///
    /// It has a text.
    First,
    /// It has a text, too.
    Second,
    Third,
    Fourth,
}

/// Attributes on variants.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Open {
    Plain,
    #[deprecated]
    Old,
    #[schemars(title = "Titled")]
    Titled,
    #[serde(skip)]
    Skipped,
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Variants {
    /// A map.
    StringMap(BTreeMap<String, String>),
    #[schemars(with = "u64")]
    AsNumber(String),
    #[schemars(schema_with = "pair")]
    AsText(i32, bool),
    #[schemars(with = "bool")]
    Unit,
    #[schemars(with = "String")]
    Fields { ignored: i32 },
    /// Perhaps.
    Perhaps(Option<String>),
    #[schemars(description = "In an attribute.")]
    Described { size: i32 },
}

fn pair(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": r"^\d+ (true|false)$" })
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Key {
    Left,
    Right,
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

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Flattening {
    pub other: i32,
    #[serde(flatten)]
    pub one: Flattened,
}
