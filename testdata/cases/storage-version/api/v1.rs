use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// Nobody says which version is stored.
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}

/// Both are stored.
/// +kubebuilder:storageversion
#[derive(Clone, Debug)]
pub struct Barge {
    pub metadata: ObjectMeta,
}

/// None is served.
/// +kubebuilder:unservedversion
#[derive(Clone, Debug)]
pub struct Pier {
    pub metadata: ObjectMeta,
}
