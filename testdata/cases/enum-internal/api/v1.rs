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
    pub heating: Heating,
}

/// How it is heated.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Heating {
    /// With wood.
    DryWood {
        /// Weight of the pile.
        pile_kilos: i32,
        maker: String,
    },
    Gas(GasSupply),
    Off,
    Power { maker: String, volts: Option<i32> },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GasSupply {
    pub bottle_count: i32,
    pub maker: String,
}
