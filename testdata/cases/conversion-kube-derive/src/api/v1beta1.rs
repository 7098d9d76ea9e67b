//! The first version.

use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// A kiln.
#[derive(Clone, Debug, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "pottery.example.org",
    version = "v1beta1",
    kind = "Kiln",
    schema = "disabled",
    storage = false
)]
#[kube(namespaced, status = "KilnStatus")]
pub struct KilnSpec {
    /// The temperature.
    pub heat: i32,
    /// A note.
    pub note: Option<String>,
}

/// The state of a kiln.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnStatus {
    /// Whether it is hot.
    pub hot: bool,
}
