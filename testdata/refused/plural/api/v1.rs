//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// A ship that pulls others.
// +kubebuilder:resource:path=Tug_Boats
pub struct Tug {
    pub metadata: ObjectMeta,
}
