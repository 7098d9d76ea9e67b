//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub by_number: BTreeMap<i32, String>,
    pub by_lit: HashMap<bool, String>,
    pub by_engine: HashMap<Engine, String>,
    pub by_list: BTreeMap<Vec<String>, String>,
    pub by_drive: BTreeMap<Drive, String>,
    pub by_text: BTreeMap<String, String>,
    pub by_name: BTreeMap<Name, String>,
    pub by_side: BTreeMap<Side, String>,
    pub by_letter: BTreeMap<char, String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub rpm: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Drive {
    Diesel { litres: i32 },
    Steam { coal: i32 },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Name(String);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Side {
    Port,
    Starboard,
}
