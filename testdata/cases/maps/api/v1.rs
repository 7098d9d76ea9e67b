//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use std::collections::{BTreeMap, HashMap};

use indexmap::IndexMap;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub labels: BTreeMap<String, String>,
    pub trays: HashMap<String, Tray>,
    pub ordered: IndexMap<String, Vec<i32>>,
    pub named: BTreeMap<Name, bool>,
    /// The keys are not checked.
    pub colours: BTreeMap<Colour, i32>,
    pub nested: BTreeMap<String, BTreeMap<String, i64>>,
    pub borrowed: HashMap<&'static str, i32>,
}

/// A name in lower case.
/// +kubebuilder:validation:Pattern=`^[a-z]+$`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Name(pub String);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Colour {
    Black,
    White,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tray {
    pub loaves: i32,
}
