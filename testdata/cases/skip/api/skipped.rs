//! +kubebuilder:skip

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Gone {
    pub metadata: ObjectMeta,
}
