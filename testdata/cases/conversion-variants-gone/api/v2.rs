//! +groupName=example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:storageversion
// +kgen:conversion:webhook
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

// No marker says what `v2` shows for `Blue`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Color {
    Red,
    Green,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Shape {
    // +kgen:conversion:from=Round
    Circle,
    // +kgen:conversion:from=Round
    Ellipse,
    Square,
}
