// Imported by kgen from boxes.pottery.example.com and 7 more.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    Small(Small),
    Large(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Small {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}
