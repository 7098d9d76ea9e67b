//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

/// Names of the staff.
/// +kubebuilder:validation:MaxItems=9
pub type Staff = Vec<String>;

/// Degrees of an oven.
/// +kubebuilder:validation:Maximum=300
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Degrees(pub i32);

/// Label on the door.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Label {
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trays(Vec<Degrees>);

/// Loaves by their name.
/// +listType=map
/// +listMapKey=name
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Loaves(pub Vec<Loaf>);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Loaf {
    pub name: String,
    pub shelf: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// +kubebuilder:validation:MinItems=1
    /// +listType=set
    /// +kubebuilder:validation:items:MaxLength=20
    pub staff: Staff,
    /// +kubebuilder:validation:Minimum=20
    /// +kubebuilder:default=180
    pub degrees: Degrees,
    /// +kubebuilder:validation:MaxLength=12
    pub label: Label,
    /// +kubebuilder:validation:items:Minimum=30
    pub trays: Trays,
    pub alias: Staff,
    /// +kubebuilder:validation:Pattern=`^[0-9]+%?$`
    pub share: IntOrString,
    pub loaves: Loaves,
    /// Keys of the field take the place of those of the type.
    /// +listType=map
    /// +listMapKey=shelf
    /// +listMapKey=name
    pub shelved: Loaves,
    /// A list that is one piece has no keys.
    /// +listType=atomic
    pub sold: Loaves,
}
