//! +groupName=kiln.example.org

use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    /// An object with two numbers.
    pub rise: Duration,
    /// Text such as `1m30s`.
    pub fall: kube::core::Duration,
}
