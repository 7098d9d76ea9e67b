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
    pub celsius: Celsius,
    pub checked: Checked,
    pub both: Both,
}

/// Read from a number.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "i32", into = "i32")]
pub struct Celsius {
    pub degrees: i64,
}

/// +kubebuilder:validation:MaxLength=10
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Checked(String);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
pub enum Both {
    A,
    B(i32),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wire {
    pub value: i32,
}
