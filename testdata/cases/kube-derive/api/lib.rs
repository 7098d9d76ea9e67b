use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the miller wants.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "mill.example.org",
    version = "v1",
    kind = "Mill",
    namespaced,
    status = "MillStatus",
    plural = "mills",
    singular = "mill",
    shortname = "ml",
    shortname = "mi",
    category = "flour",
    doc = "Mill grinds."
)]
#[kube(printcolumn(name = "Wind", type_ = "integer", json_path = ".spec.windForce", priority = 1))]
#[kube(printcolumn = r#"{"name": "Owner", "type": "string", "jsonPath": ".spec.owner"}"#)]
#[kube(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"))]
#[kube(selectable = ".spec.owner")]
#[kube(annotation("a", "b"), label("team", "north"))]
#[kube(validation = "self.metadata.name != 'x'")]
#[serde(rename_all = "camelCase")]
/// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
pub struct MillSpec {
    pub wind_force: i32,
    pub owner: String,
    pub replicas: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillStatus {
    pub replicas: i32,
}

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "mill.example.org", version = "v1", kind = "Dam")]
#[kube(deprecated = "use Mill", served = true, storage = true)]
pub struct DamSpec {
    pub metres: i32,
}
