//! kube 4.2 keeps null beside an integer or a text, and writes no list that holds nothing.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "fruit.example.com", version = "v1", kind = "Orchard", namespaced)]
pub struct OrchardSpec {
    pub gate: Option<IntOrString>,
    pub name: Option<String>,
}
