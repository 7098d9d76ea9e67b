//! Enums of serde_repr: numbers instead of names.

use kube::CustomResource;
use schemars::{JsonSchema, JsonSchema_repr};
use serde::{Deserialize, Serialize};
use serde_repr::{Deserialize_repr, Serialize_repr};

const NEWEST: i32 = 16;

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "library.example.org", version = "v1", kind = "Catalogue", namespaced)]
pub struct CatalogueSpec {
    pub edition: Edition,
    #[serde(default)]
    pub floor: Floor,
    pub hall: Option<Hall>,
}

/// One of those that are printed.
#[derive(Clone, Debug, Serialize_repr, Deserialize_repr, JsonSchema_repr)]
#[serde(untagged)]
#[repr(i32)]
pub enum Edition {
    First = 7,
    Second,
    Newest = NEWEST,
}

#[derive(Clone, Debug, Default, Serialize_repr, Deserialize_repr, JsonSchema_repr)]
#[repr(i8)]
pub enum Floor {
    Cellar = -1,
    #[default]
    Ground,
}

/// Any number will do.
#[derive(Clone, Debug, Serialize_repr, Deserialize_repr, JsonSchema_repr)]
#[repr(u8)]
pub enum Hall {
    Main = 1,
    #[serde(other)]
    Other = 0,
}
