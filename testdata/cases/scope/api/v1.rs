//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:resource:scope=Galaxy
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}
