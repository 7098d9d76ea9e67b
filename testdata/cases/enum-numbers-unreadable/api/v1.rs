//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};
use serde_repr::{Deserialize_repr, Serialize_repr};
use serde_with::{DeserializeFromStr, SerializeDisplay};

pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub level: Level,
    pub tray: Tray,
    pub recipe: Recipe,
    pub settled: Settled,
    pub finish: Finish,
}

#[derive(Clone, Debug, Serialize_repr, Deserialize_repr)]
#[repr(u8)]
pub enum Level {
    Bottom = std::mem::size_of::<u32>() as isize,
    Top,
}

#[derive(Clone, Debug, Serialize_repr, Deserialize_repr)]
#[repr(u8)]
pub enum Tray {
    Flat,
    Deep(u8),
}

#[derive(Clone, Debug, SerializeDisplay, DeserializeFromStr)]
pub enum Recipe {
    Bread,
    Cake,
}

/// Fine: the marker says what it is.
// +kubebuilder:validation:Type=string
#[derive(Clone, Debug, SerializeDisplay, DeserializeFromStr)]
pub enum Settled {
    Bread,
    Cake,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    Glazed,
    #[serde(rename = "glazed")]
    Shiny,
}
