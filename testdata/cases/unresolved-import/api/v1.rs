//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

use super::engines::Propeller;
use crate::v1::parts::Rudder;

mod parts {
    pub struct Rudders;
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub propeller: Propeller,
    pub rudder: Rudder,
}
