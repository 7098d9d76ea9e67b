//! +groupName=apart.example.org
//! Types in one crate, clients in another.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A boat.
// +genclient
// +kubebuilder:subresource:status
#[derive(Clone, Debug)]
pub struct Boat {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: BoatSpec,
    /// What is there.
    pub status: Option<BoatStatus>,
}

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BoatSpec {
    /// How many sails.
    pub sail_count: i32,
}

/// What is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoatStatus {
    /// Whether it floats.
    pub floats: bool,
}
