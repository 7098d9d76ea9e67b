use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:resource:scope=Cluster,shortName=t
/// +kubebuilder:metadata:labels="team=north"
/// +kubebuilder:storageversion
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}
