//! Two kinds of one group cannot share a plural or a short name's place.
//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}

/// +kubebuilder:resource:path=tugs
#[derive(Clone, Debug)]
pub struct Barge {
    pub metadata: ObjectMeta,
}

/// +kubebuilder:resource:path=tugboats,singular=tug
#[derive(Clone, Debug)]
pub struct Tugboat {
    pub metadata: ObjectMeta,
}
