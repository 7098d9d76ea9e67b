//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

/// The discriminator can never be `Wind`, so the union could never be set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +k8s:unionDiscriminator
    pub kind: DriveKind,
    /// +k8s:unionMember
    pub wind: Option<i32>,
    /// +k8s:unionMember(memberName: "water")
    pub water: Option<i32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DriveKind {
    Wind,
    Water,
}
