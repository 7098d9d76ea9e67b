//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A shop with {{ braces }}.
#[derive(Clone, Debug)]
pub struct Shop {
    pub metadata: ObjectMeta,
    pub spec: ShopSpec,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShopSpec {
    /// A.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
}
