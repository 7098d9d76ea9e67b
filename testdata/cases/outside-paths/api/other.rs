use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A type, but no root: this file is not in `paths`.
#[derive(Clone, Debug)]
pub struct Unasked {
    pub metadata: ObjectMeta,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    pub a: i32,
}
