// Imported by kgen from kilns.pottery.example.com.

use kube::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, CustomResource, Serialize, Deserialize)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Kiln",
    plural = "kilns",
    singular = "kiln",
    namespaced,
    derive = "PartialEq",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    // +default="dark-blue"
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<Vec<Other>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Color {
    Red,
    #[serde(rename = "dark-blue")]
    DarkBlue,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Other {
    Other,
    #[serde(rename = "red")]
    Red,
}
