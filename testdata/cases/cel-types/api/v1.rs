//! +groupName=harbor.example.org

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Crane {
    pub metadata: ObjectMeta,
    pub spec: CraneSpec,
}

/// What fits:
/// +kubebuilder:validation:XValidation:rule="self.reach > 3 && self.load < 2.5 && self.reach < 9.5"
/// +kubebuilder:validation:XValidation:rule="self.hooks.all(hook, hook.kind in ['round', 'flat']) && 'a' in self.labels"
/// +kubebuilder:validation:XValidation:rule="type(self.port) == int ? self.port > 0 : self.port.size() > 0"
/// +kubebuilder:validation:XValidation:rule="self.since + duration('24h') > timestamp('2024-01-01T00:00:00Z')"
/// +kubebuilder:validation:XValidation:rule="!has(self.host) || isIP(self.host) && ip(self.host).family() == 4"
/// +kubebuilder:validation:XValidation:rule="self.?host.orValue('none') != ''",messageExpression="'%s reaches %d'.format([self.name, self.reach])"
/// What does not:
/// +kubebuilder:validation:XValidation:rule="self.reach > 'far'"
/// +kubebuilder:validation:XValidation:rule="self.reach + self.name == 'x'"
/// +kubebuilder:validation:XValidation:rule="self.name == 3"
/// +kubebuilder:validation:XValidation:rule="self.first == self.second"
/// +kubebuilder:validation:XValidation:rule="self.name && self.reach > 1"
/// +kubebuilder:validation:XValidation:rule="self.reach"
/// +kubebuilder:validation:XValidation:rule="self.hooks.all(hook, hook.kind > 3)"
/// +kubebuilder:validation:XValidation:rule="self.hooks.exists(hook, hook.knd == 'round')"
/// +kubebuilder:validation:XValidation:rule="self.reach.all(x, x > 0)"
/// +kubebuilder:validation:XValidation:rule="self.name.startsWith(3)"
/// +kubebuilder:validation:XValidation:rule="self.name.startWith('a')"
/// +kubebuilder:validation:XValidation:rule="size(self.name, 2) > 1"
/// +kubebuilder:validation:XValidation:rule="self.name in ['a', 2]"
/// +kubebuilder:validation:XValidation:rule="self.since > timestamp('yesterday') && self.name.matches('(')"
/// +kubebuilder:validation:XValidation:rule="self.host.orValue('') == ''"
/// +kubebuilder:validation:XValidation:rule="oldSelf.reach > 1",optionalOldSelf=true
/// +kubebuilder:validation:XValidation:rule="self.port"
/// +kubebuilder:validation:XValidation:rule="self.reach > 1",messageExpression="self.reach"
/// +kubebuilder:validation:XValidation:rule="self.reach > 2",messageExpression="'%d'.format([self.name])"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CraneSpec {
    /// +kubebuilder:validation:MaxLength=10
    pub name: String,
    pub reach: i32,
    pub load: f64,
    /// +kubebuilder:validation:MaxLength=10
    pub host: Option<String>,
    /// +kubebuilder:validation:MaxLength=10
    pub port: IntOrString,
    /// +kubebuilder:validation:Format=date-time
    pub since: String,
    /// +kubebuilder:validation:MaxItems=10
    pub hooks: Vec<Hook>,
    /// +kubebuilder:validation:MaxProperties=10
    pub labels: BTreeMap<String, String>,
    pub first: Hook,
    pub second: Hook,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hook {
    /// +kubebuilder:validation:MaxLength=10
    pub kind: String,
}
