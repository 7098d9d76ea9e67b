//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

/// The doc of the type, not of its fields.
/// +kubebuilder:validation:MaxProperties=3
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Knob { pub label: String, pub turns: Option<i32> }

/// The doc of the variant is not that of its field.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Heating {
    /// With wood.
    Wood { kilos: i32 },
    /// With gas.
    Gas { bottles: i32, /** Not a doc of bottles. */ litres: i32 },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub knob: Knob,
    pub heating: Heating,
}
