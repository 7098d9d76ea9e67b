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
    pub engine: Engin,
    pub propeller: Propeller,
    pub rudder: Rudder,
    pub nothing: Zzyzx,
    pub list: Vec<crate::v1::Engines>,
    pub generic: Pair<String, Missing>,
    pub associated: <Engine as Iterator>::Item,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub rpm: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pair<A, B> {
    pub a: A,
    pub b: B,
}
