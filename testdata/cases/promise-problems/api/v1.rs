//! +groupName=harbour.example.org

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::net::IpAddr;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Types that no schema can describe in both directions.
#[derive(Clone, Debug)]
pub struct Ship {
    pub metadata: ObjectMeta,
    pub spec: ShipSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShipSpec {
    pub marker: PhantomData<u8>,
    pub by_letter: BTreeMap<char, String>,
    pub by_address: BTreeMap<IpAddr, String>,
    pub cargo: Cargo,
    pub order: Order,
    pub signal: Signal,
    pub pair: Pair,
    pub log: Log,
    pub crew: Crew,
    pub mark: Mark,
    pub rig: Rig,
    pub hull: Hull,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Cargo {
    #[serde(skip_serializing)]
    Coal,
    #[serde(skip_deserializing)]
    Fruit,
    #[serde(skip)]
    Fine,
    Wood,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Order {
    Sail(Option<Captain>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Signal {
    Lamp(Option<u8>),
    Horn(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pair(pub String, #[serde(skip)] pub u8);

/// +kubebuilder:pruning:PreserveUnknownFields
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    pub lines: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crew {
    #[serde(flatten)]
    pub captain: Captain,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Captain {
    pub name: String,
}

/// The format of a date refuses all numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Mark {
    Number(u16),
    Date(jiff::civil::Date),
}

/// The map takes fields that the enum refuses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rig {
    #[serde(flatten)]
    pub sail: Sail,
    #[serde(flatten)]
    pub rest: std::collections::BTreeMap<String, serde_json::Value>,
}

/// The enum refuses the field of the struct after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hull {
    #[serde(flatten)]
    pub sail: Sail,
    #[serde(flatten)]
    pub captain: Captain,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "sail", deny_unknown_fields)]
pub enum Sail {
    Square { area: u32 },
    Lateen { length: u32 },
}
