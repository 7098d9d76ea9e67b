//! +groupName=pottery.example.org
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +kgen:allow=document-size
pub struct Wall {
    pub metadata: ObjectMeta,
    pub spec: Twice<Twice<Twice<Twice<Twice<Twice<Twice<Twice<Twice<i32>>>>>>>>>,
}

#[derive(Serialize, Deserialize)]
pub struct Twice<T> {
    /// The tile on the left, as seen by somebody in front of the wall.
    pub left: T,
    /// The tile on the right, as seen by somebody in front of the wall.
    pub right: T,
}

