//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// A ship that pulls others.
// +kubebuilder:deprecatedversion:warning="use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2, use v2,"
pub struct Tug {
    pub metadata: ObjectMeta,
}
