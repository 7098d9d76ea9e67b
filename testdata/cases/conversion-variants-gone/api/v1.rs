//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    pub color: Color,
    pub shape: Shape,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Color {
    Red,
    Blue,
    Green,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Shape {
    Round,
    Square,
}
