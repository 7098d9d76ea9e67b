use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:resource:scope=Namespaced,shortName=tg
/// +kubebuilder:metadata:labels="team=south"
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}
