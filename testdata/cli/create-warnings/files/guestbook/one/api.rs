//! +groupName=webapp.example.com
//! +versionName=v1

pub struct One {
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    pub spec: Missing,
}
