//! Every form of the keys of `#[kube(…)]` that its parser accepts, and the keys that newer versions of kube added.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Flags that are off.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Quarry",
    namespaced = false,
    no_spec = false,
    cel = false,
    storage = "true",
    served = "true",
    status = QuarryStatus,
    schema = "derived",
    printcolumn(
        name = "Depth",
        type_ = "integer",
        json_path = ".spec.depth",
        priority = "1"
    )
)]
pub struct QuarrySpec {
    pub depth: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct QuarryStatus {
    pub empty: bool,
}

/// Flags that are off, as text.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = r"pottery.example.com",
    version = "v1",
    kind = "Pit",
    namespaced = "false",
    no_spec = "false",
    status = self::QuarryStatus
)]
pub struct PitSpec {
    pub depth: i32,
}

/// Flags that are on, in both long forms.
#[derive(CustomResource, KubeSchema, Clone, Debug, Serialize, Deserialize)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Cellar",
    namespaced = "true",
    no_spec = true,
    schema(derived),
    attr = "allow(dead_code)",
    printcolumn(
        name = "Depth",
        type_ = "integer",
        json_path = ".depth",
        priority = 1,
        format = "int32"
    )
)]
pub struct CellarSpec {
    #[x_kube(validation = Rule::new("self >= oldSelf").message("only grows").optional_old_self(false))]
    pub depth: i32,
}

/// Fields at the root of the object.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Shelf",
    namespaced,
    no_spec
)]
pub struct ShelfSpec {
    /// How many pots fit.
    pub capacity: u8,
    pub name: Option<String>,
}
