//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

use tides::Table;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub table: Table,
    pub winch: winches::v2::Winch,
    pub affinity: Option<k8s_openapi::api::core::v1::Affinity>,
}
