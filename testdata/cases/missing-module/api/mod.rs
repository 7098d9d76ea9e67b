//! +groupName=harbor.example.org
//! +versionName=v1

mod engine;
/// Nothing leads through this one: it may be generated later.
mod generated;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: engine::Engine,
}
