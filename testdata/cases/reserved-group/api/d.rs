//! Only looks like one.
//! +groupName=mykubernetes.io
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Quay {
    pub metadata: ObjectMeta,
}
