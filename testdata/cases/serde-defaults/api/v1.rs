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
    #[serde(default)]
    pub number: i32,
    #[serde(default)]
    pub lit: bool,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub list: Vec<String>,
    #[serde(default)]
    pub maybe: Option<i32>,
    #[serde(default = "degrees")]
    pub degrees: i32,
    #[serde(default = "name")]
    pub name: String,
    #[serde(default = "OvenSpec::trays")]
    pub trays: Vec<String>,
    #[serde(default = "computed")]
    pub computed: i32,
    #[serde(default)]
    pub door: Door,
    #[serde(default)]
    pub fuel: Fuel,
    /// A default of the schema wins.
    /// +kubebuilder:default=9
    #[serde(default = "degrees")]
    pub both: i32,
    #[serde(default = "limit")]
    pub limit: u64,
}

impl OvenSpec {
    fn trays() -> Vec<String> {
        vec!["top".to_string(), String::from("bottom")]
    }
}

const LIMIT: u64 = 40;

fn degrees() -> i32 {
    180
}

fn name() -> String {
    "stone".into()
}

fn computed() -> i32 {
    std::env::args().count() as i32
}

fn limit() -> u64 {
    LIMIT
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Door {
    pub glass: bool,
    pub kilos: i32,
}

impl Default for Door {
    fn default() -> Self {
        Self { glass: true, kilos: 12 }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub enum Fuel {
    Wood,
    #[default]
    Gas,
}
