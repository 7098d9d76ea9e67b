use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:deprecatedversion:warning="harbor.example.org/v1beta1 Tug is deprecated; use v1"
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}
