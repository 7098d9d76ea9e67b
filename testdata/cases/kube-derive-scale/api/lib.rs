use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// kube drops the scale of a kind without status; kgen keeps it or says so.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "mill.example.org", version = "v1", kind = "Dam", namespaced)]
#[kube(scale(spec_replicas_path = ".spec.gates", status_replicas_path = ".status.gates"))]
pub struct DamSpec {
    pub gates: i32,
}
