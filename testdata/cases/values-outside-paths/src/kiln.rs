use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::sizes::{self, MOST};
use crate::{defaults, limits};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "brick.example.org", version = "v1", kind = "Kiln", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    #[schemars(length(min = 1, max = MOST))]
    pub name: String,
    #[schemars(length(max = "limits::LABEL"))]
    pub label: String,
    #[schemars(range(min = sizes::LEAST, max = crate::limits::sizes::HOTTEST))]
    pub heat: i32,
    #[schemars(regex(pattern = limits::PATTERN))]
    pub code: String,
    #[schemars(schema_with = "crate::schemas::layers")]
    pub layers: Vec<String>,
    #[serde(default = "crate::defaults::shelves")]
    pub shelves: i32,
    #[serde(default = "defaults::doors")]
    pub doors: Vec<String>,
    #[serde(default = "defaults::Fuel::usual")]
    pub fuel: defaults::Fuel,
    #[serde(default)]
    pub vent: defaults::Vent,
    #[serde(default = "defaults::computed")]
    pub computed: i32,
}
