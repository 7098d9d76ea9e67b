//! +groupName=harbor.k8s.io

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// A ship that pulls others.
pub struct Tug {
    pub metadata: ObjectMeta,
}
