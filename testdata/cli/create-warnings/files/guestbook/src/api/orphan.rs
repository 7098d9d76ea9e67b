//! +groupName=webapp.example.com
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

pub struct Orphan {
    pub metadata: ObjectMeta,
    pub spec: Missing,
}
