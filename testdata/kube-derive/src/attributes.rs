//! What `#[kube(…)]` can say.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kiln that fires pots.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Kiln",
    root = "KilnObject",
    plural = "kilnery",
    singular = "oven",
    shortname = "ki",
    shortname = "kil",
    category = "all",
    category = "pottery",
    namespaced,
    doc = "Fires pots.",
    status = "KilnStatus",
    derive = "PartialEq",
    annotation("pottery.example.com/owner", "potters"),
    label("app", "pottery"),
    label("tier", "fire"),
    served = true,
    storage = true,
    deprecated = "use v2",
    selectable = ".spec.model",
    scale(
        spec_replicas_path = ".spec.shelves",
        status_replicas_path = ".status.shelves",
        label_selector_path = ".status.selector"
    ),
    printcolumn = r#"{"name":"Model","type":"string","description":"Which one","jsonPath":".spec.model"}"#,
    printcolumn = r#"{"name":"Shelves","type":"integer","jsonPath":".spec.shelves","priority":1,"format":"int32"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    /// Which model.
    pub model: String,
    pub shelves: i32,
}

impl PartialEq for KilnSpec {
    fn eq(&self, other: &Self) -> bool {
        self.model == other.model
    }
}

/// What the kiln does now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KilnStatus {
    pub shelves: i32,
    pub selector: Option<String>,
}

/// Cluster-wide, with nothing but what must be there.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1alpha1", kind = "Glaze")]
#[kube(deprecated, singular = "glazy")]
pub struct GlazeSpec {
    pub colour: String,
}

/// The scale subresource in its older form.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Wheel",
    namespaced,
    status = "crate::attributes::WheelStatus",
    scale = r#"{"specReplicasPath":".spec.count","statusReplicasPath":".status.count"}"#
)]
pub struct WheelSpec {
    pub count: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WheelStatus {
    pub count: i32,
}

/// The spec is an enum.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Order", namespaced)]
#[serde(rename_all = "camelCase")]
pub enum OrderSpec {
    /// By the piece.
    Single { pot: String },
    /// Many of one sort.
    Bulk(BulkOrder),
}

/// A large order.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BulkOrder {
    pub pots: Vec<String>,
}
