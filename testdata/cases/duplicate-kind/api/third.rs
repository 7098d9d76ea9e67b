//! Another kind that takes the plural of the first.
//! +groupName=harbor.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:resource:path=tugs
#[derive(Clone, Debug)]
pub struct Barge {
    pub metadata: ObjectMeta,
}
