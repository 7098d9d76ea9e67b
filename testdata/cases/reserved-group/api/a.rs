//! +groupName=harbor.k8s.io
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}
