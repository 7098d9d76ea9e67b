//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub heating: Heating,
    pub open: Open,
    pub unit: UnitTagged,
    pub content: Content,
    pub flat: Flat,
    pub single: Single,
    pub aliased: Aliased,
}

/// A variant that serde skips is not there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Heating {
    Wood { kilos: i32 },
    #[serde(skip)]
    Hidden(std::sync::mpsc::Sender<i32>),
    #[serde(rename = "GAS")]
    Gas {},
}

/// An unknown tag is read as the last variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Open {
    Wood { kilos: i32 },
    #[serde(other)]
    Unknown,
}

/// Unit variants alone, with a tag.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum UnitTagged {
    On,
    Off,
}

/// Contents of one type.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
pub enum Content {
    A(Tray),
    B(Tray),
}

/// A tagged enum flattened into a struct.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flat {
    pub name: String,
    #[serde(flatten)]
    pub open: UnitTagged,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Single {
    Only,
}

/// +kubebuilder:validation:Enum=A
pub type Aliased = Letters;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Letters {
    A,
    B,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tray {
    pub loaves: i32,
}
