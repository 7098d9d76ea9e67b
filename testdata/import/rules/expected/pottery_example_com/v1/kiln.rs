// Imported by kgen from kilns.pottery.example.com.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    // +kubebuilder:validation:MaxLength=10
    // +kubebuilder:validation:XValidation:rule="self != \"a\\b`c\"",message="one, two"
    // +kubebuilder:validation:XValidation:rule="self == oldSelf"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    // +kubebuilder:validation:MaxItems=4
    // +kubebuilder:validation:items:MaxLength=10
    // +kubebuilder:validation:items:XValidation:rule="self != 'a'"
    // +kubebuilder:validation:items:XValidation:rule="self != 'b'"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    // +kubebuilder:validation:MaxProperties=4
    // +k8s:eachVal=+kubebuilder:validation:MaxLength=10
    // +k8s:eachVal=+kubebuilder:validation:XValidation:rule="self != 'a'"
    // +k8s:eachVal=+kubebuilder:validation:XValidation:rule="self != 'b'"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<String, String>>,
    // +kubebuilder:validation:MaxLength=5
    // +kubebuilder:validation:XValidation:rule=`oldSelf.hasValue() || self == "x"`,optionalOldSelf=true
    #[serde(skip_serializing_if = "Option::is_none")]
    pub once: Option<String>,
}

// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="the minimum is too large",reason=FieldValueForbidden,fieldPath=.min
// +kubebuilder:validation:XValidation:rule="self.min > 0 || self.max > 0",messageExpression="'the minimum'"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.min) || self.min == oldSelf.min"
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    // +kubebuilder:validation:Format=""
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
}
