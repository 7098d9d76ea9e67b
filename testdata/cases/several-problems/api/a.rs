//! All problems are told at once, sorted by place, and nothing is written.
//! +groupName=mill.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    pub wide: i128,
    pub shared: super::b::Shared,
    pub again: super::b::Shared,
}
