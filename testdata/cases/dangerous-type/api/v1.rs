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
    pub draught: f64,
    pub beams: Vec<f32>,
    pub speed: Option<f64>,
}
