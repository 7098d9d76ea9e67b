//! Names that Kubernetes looks up must differ within a group as well.
//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:resource:shortName=t
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}

/// +kubebuilder:resource:singular=tug
#[derive(Clone, Debug)]
pub struct Tugboat {
    pub metadata: ObjectMeta,
}

/// +kubebuilder:resource:shortName=t
#[derive(Clone, Debug)]
pub struct Whaler {
    pub metadata: ObjectMeta,
}
