use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "attic.example.org", version = "v1", kind = "Chest", namespaced)]
pub struct ChestSpec {
    pub value: Value,
    pub maybe: Option<Value>,
    /// As the plain field.
    pub newtype: Anything,
    pub transparent: Transparent,
    pub list: Vec<Value>,
    pub map: BTreeMap<String, Value>,
    pub object: Map<String, Value>,
    pub newtypes: Vec<Anything>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Any value.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Anything(pub Value);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Transparent {
    pub inner: Value,
}
