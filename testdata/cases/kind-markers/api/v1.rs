//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Mill grinds.
/// +genclient
/// +genclient:nonNamespaced
/// +kubebuilder:object:root=true
/// +kubebuilder:resource:path=grinders,singular=grinder,shortName=ml;mi,categories=all;flour,scope=Cluster
/// +kubebuilder:subresource:status
/// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
/// +kubebuilder:selectablefield:JSONPath=.spec.owner
/// +kubebuilder:selectablefield:JSONPath=.spec.grinding
/// +kubebuilder:metadata:annotations="a.example.org/x=1=2";"b=",labels="team=north"
/// +kubebuilder:metadata:labels="tier=base"
/// +kubebuilder:deprecatedversion
#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
    pub status: Option<MillStatus>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    pub replicas: i32,
    pub owner: String,
    pub grinding: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillStatus {
    pub replicas: i32,
    pub selector: String,
}

/// A list of kinds is no kind.
#[derive(Clone, Debug)]
pub struct MillList {
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta,
    pub items: Vec<Mill>,
}
