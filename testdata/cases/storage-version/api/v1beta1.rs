use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}

/// +kubebuilder:storageversion
#[derive(Clone, Debug)]
pub struct Barge {
    pub metadata: ObjectMeta,
}
