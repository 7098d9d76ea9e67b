// Imported by kgen from kilns.pottery.example.com.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: Option<KilnSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}
