//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// A ship that pulls others.
// +kubebuilder:metadata:annotations="example.com/a/b=x"
pub struct Tug {
    pub metadata: ObjectMeta,
}
