//! +groupName=webapp.example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A guestbook; the chart has the CRD of the manifests.
#[derive(Clone, Debug)]
pub struct Guestbook {
    pub metadata: ObjectMeta,
    pub spec: GuestbookSpec,
}

/// The desired state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuestbookSpec {
    /// Number of instances.
    pub size: i32,
}
