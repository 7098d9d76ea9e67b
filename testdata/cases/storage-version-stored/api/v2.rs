use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:skipversion
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}
