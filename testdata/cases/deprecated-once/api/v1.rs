//! +groupName=kiln.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    /// Wood says what burns.
    ///
    /// Deprecated: use `fuel`.
    #[deprecated(note = "use `fuel`")]
    pub wood: Option<String>,
    /// Coal is no longer used; set `fuel` instead.
    #[deprecated(note = "set `fuel` instead.")]
    pub coal: Option<String>,
    /// Gas says what burns.
    #[deprecated(note = "use `fuel`")]
    pub gas: Option<String>,
    /// DEPRECATED
    #[deprecated]
    pub oil: Option<String>,
    pub fuel: Option<String>,
}
