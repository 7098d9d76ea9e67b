//! +groupName=elsewhere.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

pub struct Kiln {
    pub metadata: ObjectMeta,
}
