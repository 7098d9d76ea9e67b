//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

/// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max",reason=FieldValueInvalid,fieldPath=".min"
/// +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || self.min == oldSelf.value().min",optionalOldSelf=true,messageExpression="'it cannot change'"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    pub min: i32,
    /// +kubebuilder:validation:XValidation:rule="self >= oldSelf"
    pub max: i32,
    /// +kubebuilder:validation:MaxItems=9
    /// +kubebuilder:validation:items:MaxLength=63
    /// +kubebuilder:validation:items:XValidation:rule=`self.matches("^[a-z]+$")`
    pub names: Vec<String>,
}
