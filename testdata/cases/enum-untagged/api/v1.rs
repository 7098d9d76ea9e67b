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
    pub port: Port,
    pub source: Source,
    pub address: Address,
    pub tone: Tone,
}

/// Text in one of two forms.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Address {
    V4(std::net::Ipv4Addr),
    V6(std::net::Ipv6Addr),
}

/// One form takes all the others in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Tone {
    Known(Known),
    Other(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Known {
    Warm,
    Cold,
}

/// A number or a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Port {
    Number(i32),
    Name(String),
}

/// A thing that is somewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Source {
    File { path: String, mode: Option<i32> },
    Web { url: String },
}
