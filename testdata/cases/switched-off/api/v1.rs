use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Fields behind a feature that is off are not there, and messages about them say so.
// +kubebuilder:printcolumn:name=Rope,type=string,JSONPath=.spec.towRope
// +kubebuilder:subresource:scale:specpath=.spec.tugs,statuspath=.spec.power
#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
// +kubebuilder:validation:XValidation:rule="self.towRope != ''",message="a rope"
pub struct TugSpec {
    pub power: i32,
    pub gear: Gear,
    #[cfg(feature = "tow")]
    pub tow_rope: String,
    #[cfg(all(feature = "tow", not(feature = "alone")))]
    #[serde(rename = "tugs")]
    pub others: i32,
    #[cfg(feature = "tow")]
    pub hook: Hook,
}

#[cfg(feature = "tow")]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hook {}

/// Markers above the condition are switched off, too.
// +kubebuilder:validation:MinProperties=1
#[cfg(feature = "tow")]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Winch {}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gear {
    // +kubebuilder:validation:Minimum=1
    #[cfg(feature = "tow")]
    pub ropes: i32,
    pub kind: GearKind,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum GearKind {
    Plain,
    // +kubebuilder:validation:MaxLength=3
    #[cfg(feature = "tow")]
    Towing(String),
}
