//! +groupName=harbour.example.org

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use k8s_openapi::ByteString;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// A ship whose schema accepts exactly the values that its type reads and writes.
#[derive(Clone, Debug)]
pub struct Ship {
    pub metadata: ObjectMeta,
    pub spec: ShipSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShipSpec {
    pub address: IpAddr,
    pub gateway: Ipv4Addr,
    pub radio: SocketAddr,
    /// The empty text is no `byte` for the API server.
    pub flag: ByteString,
    pub draught: f32,
    /// Null is a value, and it must be present.
    pub anything: serde_json::Value,
    pub wrapped: Wrapped,
    pub cargo: Cargo,
    pub order: Order,
    pub signal: Signal,
    pub depth: Depth,
    pub mark: Mark,
    pub tags: Tags,
    /// serde ignores the default of a flattened field.
    #[serde(flatten, default)]
    pub crew: Crew,
}

/// Only a field may be absent; everywhere else, `None` is null.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wrapped(pub Option<String>);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Cargo {
    Coal(Option<i32>),
    /// Null is in no list of values, so the list is in a part of its own.
    Fruit(Option<Fruit>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Fruit {
    Apple,
    Pear,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "value")]
pub enum Order {
    Sail(Option<String>),
}

/// No variant reads the fields of the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Signal {
    Lamp { color: String },
    Horn { length: u8 },
}

/// Formats do not count in the parts of a combination; bounds do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Depth {
    Small(i8),
    Large(u32),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Mark {
    Number(u16),
    Fruit(Fruit),
}

/// A struct that is only a flattened map is that map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tags {
    #[serde(flatten)]
    pub entries: BTreeMap<String, u8>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Crew {
    pub captain: String,
}
