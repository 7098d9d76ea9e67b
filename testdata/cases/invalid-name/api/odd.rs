//! +groupName=harbor.example.org
//! +versionName=Version_1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:metadata:labels="bad key!=x",annotations="fine=anything at all"
#[derive(Clone, Debug)]
pub struct Barge {
    pub metadata: ObjectMeta,
}
