//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use std::collections::BTreeMap;

/// +kubebuilder:validation:XValidation:rule="self.name != ''",message="parent"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub name: String,
    #[serde(flatten)]
    pub door: Door,
    #[serde(flatten)]
    pub maybe: Option<Chimney>,
    #[serde(flatten)]
    pub heating: Heating,
    pub open: Open,
}

/// Its doc does not reach the parent.
/// +kubebuilder:validation:XValidation:rule="self.kilos > 0",message="flattened"
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Door {
    pub glass: bool,
    pub kilos: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chimney {
    pub height: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Heating {
    Wood { kilos_of_wood: i32 },
    Gas { bottles: i32 },
}

/// A flattened map keeps what is not named.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Open {
    pub known: String,
    #[serde(flatten)]
    pub rest: BTreeMap<String, serde_json::Value>,
}
