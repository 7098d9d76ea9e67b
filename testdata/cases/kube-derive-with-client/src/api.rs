//! A kind whose column leads to a field that does not exist.

use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// A mill on a river.
// +genclient
#[derive(Clone, Debug, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "river.example.org",
    version = "v1",
    kind = "Mill",
    schema = "disabled"
)]
#[kube(namespaced)]
#[kube(printcolumn = r#"{"name":"Wheels","type":"integer","jsonPath":".spec.wheel"}"#)]
pub struct MillSpec {
    /// How many wheels turn.
    pub wheels: i32,
}
