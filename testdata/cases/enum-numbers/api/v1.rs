//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};
use serde_repr::{Deserialize_repr, Serialize_repr};

pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub level: Level,
    // +kubebuilder:default=40
    pub heat: Heat,
    #[serde(default)]
    pub door: Door,
    pub mode: Mode,
}

/// Where the tray is.
#[derive(Clone, Debug, Serialize_repr, Deserialize_repr)]
#[repr(u8)]
pub enum Level {
    Bottom,
    Middle,
    Top = 0x0a,
    /// Above the top.
    Roof,
}

#[derive(Clone, Debug, serde_repr::Serialize_repr, serde_repr::Deserialize_repr)]
#[repr(i16)]
pub enum Heat {
    Cold = -20,
    Warm = 40,
}

#[derive(Clone, Debug, Default, Serialize_repr, Deserialize_repr)]
#[repr(u8)]
pub enum Door {
    Open = 1,
    #[default]
    Closed = 2,
}

#[derive(Clone, Debug, Serialize_repr, Deserialize_repr)]
#[repr(u8)]
pub enum Mode {
    Bake = 1,
    #[serde(other)]
    Unknown = 255,
}
