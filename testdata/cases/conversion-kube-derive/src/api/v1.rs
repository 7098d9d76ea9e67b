//! The second version.

use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// A kiln.
// +kgen:conversion:webhook:serviceName=kilns,serviceNamespace=pottery,servicePort=8443,path=/convert-kilns
// +kgen:conversion:dropped=note
#[derive(Clone, Debug, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "pottery.example.org",
    version = "v1",
    kind = "Kiln",
    schema = "disabled"
)]
#[kube(namespaced, status = "KilnStatus")]
pub struct KilnSpec {
    /// The temperature.
    // +kgen:conversion:from=heat
    pub degrees: i32,
}

/// The state of a kiln.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnStatus {
    /// Whether it is hot.
    // +kgen:conversion:from=hot
    pub ready: bool,
}
