//! +groupName=harbor.example.org

mod readings;
mod units;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use readings::Reading;
use units::Knots;

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    // +kgen:allow=dangerous-type
    pub draught: f64,
    pub engine: Engine,
    pub readings: Vec<Reading>,
    pub speed: Option<Knots>,
}

/// The marker reaches over all fields.
// +kgen:allow=dangerous-type
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub power: f32,
    #[serde(default)]
    pub ratios: Vec<f64>,
}
