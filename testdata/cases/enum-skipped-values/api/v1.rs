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
    pub content: Content,
    pub heating: Heating,
    pub tagged: Tagged,
    pub tray: Tray,
}

/// serde writes the name alone if the only value of a variant is skipped.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Heating {
    /// With a cache.
    Wood(#[serde(skip)] Cache),
    Gas(#[serde(skip_serializing, skip_deserializing)] Cache),
    Off,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Tagged {
    Wood(#[serde(skip)] Cache),
    Gas { pressure: i32 },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "value")]
pub enum Content {
    Wood(#[serde(skip)] Cache),
    Gas(i32),
}

/// The other field is neither read nor written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tray {
    #[serde(default, skip_serializing)]
    pub cache: Cache,
    pub loaves: i32,
}

/// Has no JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cache;
