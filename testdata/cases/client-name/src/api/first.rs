//! +groupName=apps.example.com
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

// +genclient
pub struct Kiln {
    pub metadata: ObjectMeta,
}

// +genclient
// +kubebuilder:resource:path=allkilns
pub struct AllKiln {
    pub metadata: ObjectMeta,
}
