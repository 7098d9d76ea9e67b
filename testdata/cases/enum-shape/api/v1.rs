//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub mixed: Mixed,
    pub clash: Clash,
    pub content: Content,
    pub either: Either,
    pub tagged_text: TaggedText,
}

/// String or object cannot be one schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Mixed {
    Idle,
    Pulling { tons: i32 },
}

/// One field with two schemas.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Clash {
    Diesel { level: i32 },
    Steam { level: String },
}

/// Contents that differ.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "value")]
pub enum Content {
    Text(String),
    Number(i32),
}

/// A list or an object.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Either {
    Many(Vec<String>),
    One { name: String },
}

/// A tag has no place in a string.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum TaggedText {
    Text(String),
    Other { name: String },
}
