//! +groupName=harbor.example.org

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// +kubebuilder:validation:XValidation:rule="self.metadata.name == self.spec.name && self.kind != ''"
/// +kubebuilder:validation:XValidation:rule="'team' in self.metadata.labels"
/// +kubebuilder:validation:XValidation:rule="self.spec.engin.power > 0"
#[derive(Clone, Debug)]
pub struct Ferry {
    pub metadata: ObjectMeta,
    pub spec: FerrySpec,
}

/// +kubebuilder:validation:XValidation:rule="has(self.crews) || self.engine.power > 1"
/// +kubebuilder:validation:XValidation:rule="self.name.length > 3"
/// +kubebuilder:validation:XValidation:rule="self.name.size() > 3 && self.labels.anything != 'self.nothing'"
/// +kubebuilder:validation:XValidation:rule="self.dock__dash__side == '' && self.namespace == '' && self.__namespace__ == ''"
/// +kubebuilder:validation:XValidation:rule="self.`dock-side` == ''"
/// +kubebuilder:validation:XValidation:rule="self.crew.all(self, self.size() > 0) || self.nowhere"
/// +kubebuilder:validation:XValidation:rule="oldSelf.speed == self.engine.power",messageExpression="self.nam"
/// +kubebuilder:validation:XValidation:rule="oldSelf.hasValue() && self.name != ''",optionalOldSelf=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FerrySpec {
    /// +kubebuilder:validation:MaxLength=10
    pub name: String,
    pub engine: Engine,
    /// +kubebuilder:validation:MaxItems=10
    pub crew: Vec<String>,
    pub labels: BTreeMap<String, String>,
    #[serde(rename = "dock-side")]
    pub dock_side: String,
    pub namespace: String,
}

/// +kubebuilder:validation:XValidation:rule="self.power > 0 || has(self.extra)"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub power: i32,
    pub extra: serde_json::Value,
}
