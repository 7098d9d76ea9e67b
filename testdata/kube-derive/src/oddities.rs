//! Forms of attributes that schemars accepts and few people write: checks of other types, and keys that undo each other.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const MOST: usize = 7;

/// Oddity has them all.
#[derive(Clone, Debug, Deserialize, Serialize, CustomResource, JsonSchema)]
#[kube(group = "pottery.example.org", version = "v1", kind = "Oddity", namespaced)]
pub struct OddSpec {
    #[schemars(ip)]
    pub any_address: String,
    #[schemars(ipv4)]
    pub old_address: String,
    #[garde(ipv6)]
    pub new_address: Option<String>,
    #[garde(ip)]
    pub guarded_address: String,
    #[schemars(length(max = 3))]
    pub map: BTreeMap<String, String>,
    #[schemars(length(max = 3))]
    pub number: i32,
    #[schemars(range(max = 3))]
    pub text: String,
    #[schemars(regex(pattern = "^a$"))]
    pub patterned_number: i32,
    #[schemars(contains(pattern = "key"))]
    pub keyed: BTreeMap<String, String>,
    #[validate(email(message = "not an address"))]
    pub mail: String,
    #[validate(length(min = 1, max = "MOST", message = "too long"))]
    pub limited: String,
    #[garde(pattern("^[a-z]$"))]
    pub guarded: String,
    #[garde(inner(length(min = 1)))]
    pub guarded_list: Vec<String>,
    #[schemars(inner(ip))]
    pub addresses: Vec<String>,
    #[schemars(with = "Option<String>")]
    pub shown_as: i32,
    #[schemars(default)]
    pub with_default: i32,
    #[schemars(default = "three")]
    pub with_function: i32,
    #[serde(skip_deserializing)]
    pub only_written: i32,
    #[serde(skip_serializing)]
    pub only_read: Option<i32>,
    #[deprecated]
    pub old: Option<i32>,
    #[schemars(example = three(), example = 4)]
    pub shown: i32,
    #[serde(default)]
    #[schemars(!default)]
    pub undone: i32,
    #[schemars(length(equal = MOST))]
    pub option_list: Option<Vec<String>>,
    #[schemars(flatten)]
    pub inside: Inline,
}

fn three() -> i32 {
    3
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(
    inline,
    rename_all = "camelCase",
    deny_unknown_fields,
    description = "Has another text."
)]
pub struct Inline {
    pub first_part: String,
}
