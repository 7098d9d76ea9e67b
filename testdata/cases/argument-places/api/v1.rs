//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:printcolumn:name=Heat,type=integer,JSONPath=.spec.haet,priority=1
// +kubebuilder:printcolumn:name=Maker,type=integer,JSONPath=.spec.maker
// +kubebuilder:subresource:scale:specpath=.spec.trays,statuspath=.status.trays
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

// +kubebuilder:validation:XValidation:rule="self.heat >",message="hot",fieldPath=".haet"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub heat: i32,
    pub maker: String,
}

pub fn bake() {
    // +kubebuilder:rbac:groups=apps,resources=deployments;Pod,verbs=get,namespace=My_Namespace,roleName=a/b
    // +kubebuilder:rbac:verbs=get,urls=/metrics,resources=pods
    // +kubebuilder:rbac:verbs=get,resources=pods;services
    // +kubebuilder:rbac:groups=apps/v1,resources=deployments,verbs="get;list"
    // +kubebuilder:webhook:path=/check,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps/v1,resources=Deployment,verbs=create,versions=v1,name=kinds.example.org,admissionReviewVersions=v1
    // +kubebuilder:webhook:path=/check,servicePort=99999,mutating=false,failurePolicy=fail,sideEffects=None,groups=*;apps,resources=deployments,verbs=create,versions=v1,name=ovens.example.org,admissionReviewVersions=v7,matchConditions={hot: "object.heat >"}
    // +kubebuilder:webhook:url="https://example.org/check",serviceName=checker,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps,resources=deployments,verbs=create,versions=v1,name=trays.example.org,admissionReviewVersions=v1
}
