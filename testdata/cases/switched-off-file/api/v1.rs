//! +groupName=harbor.example.org
#![cfg(feature = "tow")]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

pub struct Barge {
    pub metadata: ObjectMeta,
}
