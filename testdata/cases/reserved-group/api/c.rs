//! Approved.
//! +groupName=piers.k8s.io
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=https://github.com/kubernetes/kubernetes/pull/1111"
#[derive(Clone, Debug)]
pub struct Pier {
    pub metadata: ObjectMeta,
}
