// Imported by kgen from wheels.pottery.example.com.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub struct Wheel {
    pub metadata: ObjectMeta,
    pub spec: Option<WheelSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WheelSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any: Option<Value>,
}
