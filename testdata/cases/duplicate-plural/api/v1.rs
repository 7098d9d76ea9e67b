//! Two kinds of one group cannot share a plural.
//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Barge {
    pub metadata: ObjectMeta,
}

/// +kubebuilder:resource:path=barges
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}
