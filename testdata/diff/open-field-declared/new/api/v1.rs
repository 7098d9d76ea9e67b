//! +groupName=tea.example.org

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// What a kettle is.
#[derive(Clone, Debug)]
pub struct Kettle {
    pub metadata: ObjectMeta,
    pub spec: KettleSpec,
}

/// What is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KettleSpec {
    /// How many.
    pub size: i32,
    /// The details.
    pub details: Option<Details>,
    /// Any remark.
    pub remark: Option<String>,
}

/// The details.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Details {
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
    /// A name.
    pub name: Option<String>,
    /// An order.
    pub order: Option<String>,
}
