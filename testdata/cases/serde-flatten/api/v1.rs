//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use std::collections::BTreeMap;

/// +kubebuilder:validation:XValidation:rule="self.name != ''",message="parent"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub name: String,
    #[serde(flatten)]
    pub door: Door,
    #[serde(flatten)]
    pub maybe: Option<Chimney>,
    #[serde(flatten)]
    pub heating: Heating,
    pub open: Open,
    pub tray: Tray,
}

/// What flattened structs and the markers on their fields say of the whole object holds for the tray.
/// +kubebuilder:validation:MinProperties=2
/// +kubebuilder:validation:XValidation:rule="self.size > 0",message="the tray's own"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tray {
    pub size: i32,
    /// Its rule on the tray comes before the tray's own.
    /// +k8s:immutable
    pub rim: Option<String>,
    #[serde(flatten)]
    pub handle: Handle,
    /// Asks for nothing when it is absent.
    #[serde(flatten)]
    pub lid: Option<Lid>,
}

/// +structType=atomic
/// +kubebuilder:validation:MinProperties=1
/// +kubebuilder:validation:MaxProperties=6
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Handle {
    /// +k8s:immutable
    pub grip: Option<String>,
}

/// +kubebuilder:validation:MinProperties=3
/// +kubebuilder:validation:MaxProperties=5
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lid {
    pub knob: String,
}

/// Its doc does not reach the parent.
/// +kubebuilder:validation:XValidation:rule="self.kilos > 0",message="flattened"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Door {
    pub glass: bool,
    pub kilos: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chimney {
    pub height: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Heating {
    Wood { kilos_of_wood: i32 },
    Gas { bottles: i32 },
}

/// A flattened map keeps what is not named.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Open {
    pub known: String,
    #[serde(flatten)]
    pub rest: BTreeMap<String, serde_json::Value>,
}
