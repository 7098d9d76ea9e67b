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
    #[serde(default = "trays")]
    pub list: Vec<String>,
    #[serde(default = "OvenSpec::degrees")]
    pub associated: i32,
    #[serde(default = "crate::v1::inner::depth")]
    pub by_path: i32,
    #[serde(default = "some")]
    pub some: Option<i32>,
    #[serde(default = "fuel")]
    pub fuel: Fuel,
    #[serde(default)]
    pub derived: Derived,
    #[serde(default = "seconds")]
    pub seconds: i64,
    #[serde(default = "labels")]
    pub labels: std::collections::BTreeMap<String, String>,
    #[serde(default = "partly")]
    pub partly: Derived,
    #[serde(default = "by_field")]
    pub by_field: Derived,
}

const MINUTES: i64 = 5;

fn seconds() -> i64 {
    MINUTES * 60 - 1 as i64
}

fn labels() -> std::collections::BTreeMap<String, String> {
    BTreeMap::from([("size".to_owned(), "large".to_owned())])
}

fn partly() -> Derived {
    Derived {
        count: 7,
        ..Default::default()
    }
}

fn by_field() -> Derived {
    Derived {
        lit: true,
        count: Default::default(),
    }
}

impl OvenSpec {
    fn degrees() -> i32 {
        180
    }
}

fn trays() -> Vec<String> {
    vec!["top".to_string(), String::from("bottom")]
}

fn some() -> Option<i32> {
    Some(3)
}

fn fuel() -> Fuel {
    Fuel::DryWood
}

pub mod inner {
    pub fn depth() -> i32 {
        40
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fuel {
    DryWood,
    Gas,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Derived {
    pub lit: bool,
    pub count: i32,
}
