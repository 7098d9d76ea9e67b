//! +groupName=Harbor_example

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:resource:path=Tug_Boats,singular="tug boat",shortName=TB;tb;t_b,categories="All Of It"
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
}
